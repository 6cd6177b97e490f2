import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { emulated, hurried, reaches, slow, submit } from '../helpers/emulated.js';
import type { EmulatorOptions } from '../../src/emulator.js';

/** A local server, and a client of it for which time passes ten times faster. */
const local = async (options: EmulatorOptions) => {
  const { emulator, newClient } = await emulated({ dialect: 'local', ...options });
  return { emulator, client: newClient({ dialect: 'local' }, hurried) };
};

describe('a local server whose messages do not come', () => {
  it('M8: a deaf socket is replaced, and the next job has its events', async () => {
    const { emulator, client } = await local({
      speed: 2,
      faults: [{ on: 'socket', do: 'mute', after: { messages: 1 } }],
    });
    const first = await submit(client, slow(40));
    expect(await lastValueFrom(first.states)).toMatchObject({ phase: 'completed' });
    expect(emulator.ledger.sockets).toHaveLength(2);
    const second = await submit(client, slow(4));
    const polls = () => emulator.requests.filter(({ url }) => url === '/api/queue').length;
    const before = polls();
    expect(await reaches(second, 'in_progress')).toMatchObject({ phase: 'in_progress' });
    expect(await lastValueFrom(second.states)).toMatchObject({ phase: 'completed' });
    expect(polls()).toBe(before);
    expect(emulator.ledger.sockets).toHaveLength(2);
  });

  it('M8: an empty queue asks for a job at once whose end did not come', async () => {
    const { emulator, client } = await local({
      speed: 20,
      faults: [
        { on: 'event', match: { type: 'execution_success' }, do: 'drop' },
        { on: 'event', match: { type: 'executing' }, do: 'drop', times: 'every' },
      ],
    });
    const job = await submit(client, slow(2));
    expect(await lastValueFrom(job.states)).toMatchObject({ phase: 'completed' });
    const polls = emulator.requests.filter(({ url }) => url === '/api/queue');
    const ended = emulator.ledger.jobs[0]?.endedAt ?? 0;
    expect(polls).toHaveLength(1);
    expect(ended).toBeGreaterThan(0);
  });

  it.each(['0.3.40', '0.3.64'] as const)(
    'M10: a waiting job that another program deletes is cancelled soon, on %s',
    async (engine) => {
      const { emulator, client } = await local({ engine, speed: 20 });
      const running = await submit(client, slow());
      await reaches(running, 'in_progress');
      const [kept, deleted] = [await submit(client, slow(5)), await submit(client, slow(6))];
      await fetch(`${emulator.baseUrl}/queue`, {
        method: 'POST',
        body: JSON.stringify({ delete: [deleted.promptId] }),
      });
      const asked = emulator.requests.length;
      expect(await lastValueFrom(deleted.states)).toMatchObject({ phase: 'cancelled' });
      // One listing, and two polls of the job that it lacks, the first of which finds that the engine has no jobs API.
      const urls = emulator.requests.slice(asked).map(({ url }) => url.replace(deleted.promptId, 'ID'));
      const polls = ['/api/queue', '/api/history/ID'];
      expect(urls).toEqual(['/api/queue', '/api/jobs/ID', ...polls, ...polls]);
      expect(emulator.ledger.jobs.map(({ promptId }) => promptId)).toContain(kept.promptId);
    },
  );
});
