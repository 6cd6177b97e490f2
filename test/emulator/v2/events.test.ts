import { describe, expect, it } from 'vitest';
import { allEventsOf, ask, eventsOf, type SseEvent, submitJob, until } from './support.js';
import { endless, open, quick } from '../support.js';
import { textToImageWorkflow, virtualClock } from '../../../src/emulator.js';

const named = (events: readonly SseEvent[], name: string): readonly SseEvent[] =>
  events.filter(({ event }) => event === name);

describe('an event stream', () => {
  it('begins with a snapshot for each client: status, progress and the latest preview', async () => {
    const clock = virtualClock();
    const emulator = await open({ dialect: 'v2', speed: 1, clock });
    const { id } = await submitJob(emulator, textToImageWorkflow({ steps: 20, width: 64, height: 64 }));
    await clock.advance(800);
    const early = eventsOf(emulator, id);
    const seen = [await early.next(), await early.next(), await early.next()].map(({ value }) => value);
    expect(seen.map((event) => event?.event)).toEqual(['status', 'progress', 'preview']);
    const picture = Buffer.from(String(seen[2]?.data['data_base64']), 'base64');
    expect([seen[2]?.data['content_type'], picture.subarray(0, 2).toString('hex')]).toEqual([
      'image/jpeg',
      'ffd8',
    ]);
    await clock.advance(200);
    const rest = allEventsOf(emulator, id);
    await until(() => emulator.openStreams === 2);
    await clock.advance(3000);
    const values = named(await rest, 'progress').map(({ data }) => Number(data['value']));
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(values.at(-1)).toBe(1);
    await early.return();
  });

  it('lives through a silent node by comments, and is freed as soon as its client leaves', async () => {
    const clock = virtualClock();
    const emulator = await open({ dialect: 'v2', speed: 1e-9, clock });
    const { id } = await submitJob(emulator, endless);
    const stream = eventsOf(emulator, id);
    expect((await stream.next()).value).toMatchObject({ event: 'status', data: { status: 'queued' } });
    await until(() => emulator.openStreams === 1);
    await clock.advance(15_000);
    expect((await stream.next()).value).toMatchObject({ event: 'comment' });
    expect(emulator.ledger.streams).toEqual([{ promptId: id, events: 1, isOpen: true }]);
    await stream.return();
    await until(() => emulator.openStreams === 0);
    expect(emulator.ledger.streams).toEqual([{ promptId: id, events: 1, isOpen: false }]);
  });

  it('is refused beyond the limit with 429, where there are none with 501, and of an unknown job with 404', async () => {
    const emulator = await open({ dialect: 'v2', speed: 20, switches: { streamLimit: 1 } });
    const { id } = await submitJob(emulator, endless);
    const stream = eventsOf(emulator, id);
    await stream.next();
    const refused = await ask(emulator, 'GET', `/jobs/${String(id)}/events`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(refused.body).toMatchObject({ error: { code: 'too_many_streams' } });
    expect((await ask(emulator, 'GET', '/jobs/none/events')).status).toBe(404);
    await stream.return();
    const without = await open({ dialect: 'v2', switches: { streamLimit: 0 } });
    const job = await submitJob(without, quick);
    expect((await ask(without, 'GET', `/jobs/${String(job['id'])}/events`)).status).toBe(501);
  });

  it('ends with an error once its key is revoked, and the job answers 401', async () => {
    const emulator = await open({ dialect: 'v2', speed: 20 });
    const { id } = await submitJob(emulator, endless);
    const rest = allEventsOf(emulator, id);
    await until(() => emulator.openStreams === 1);
    emulator.setFaults([{ on: 'account', do: 'revoke' }]);
    expect((await ask(emulator, 'GET', `/jobs/${String(id)}`)).status).toBe(401);
    expect((await rest).at(-1)).toMatchObject({
      event: 'error',
      data: { error: { code: 'credential_expired' } },
    });
  });
});

describe('faults of an event stream', () => {
  it('are those of its events: lost, doubled, unknown and no event at all', async () => {
    const emulator = await open({ dialect: 'v2' });
    emulator.setFaults([
      { on: 'event', do: 'drop', match: { type: 'output', job: 1 } },
      { on: 'event', do: 'duplicate', match: { type: 'progress' } },
      { on: 'event', do: 'unknown', type: 'new_thing', match: { type: 'progress' } },
      { on: 'event', do: 'garbage', text: 'id: 7\nretry: 10\n\n', match: { type: 'progress' } },
    ]);
    const clean = await submitJob(emulator, quick);
    const events = await allEventsOf(emulator, clean['id']);
    const types = events.map(({ event }) => event).slice(0, 6);
    expect(types).toEqual(['status', 'status', 'new_thing', 'comment', 'progress', 'progress']);
    expect(events.at(-1)?.data['status']).toBe('succeeded');
    const { id } = await submitJob(emulator, textToImageWorkflow({ steps: 1, width: 64, height: 64 }));
    expect((await allEventsOf(emulator, id)).at(-1)?.data['status']).toBe('succeeded');
  });

  it('are those of its connection: refused, cut, silent, and ended without the terminal status', async () => {
    const emulator = await open({ dialect: 'v2', speed: 20 });
    const { id } = await submitJob(emulator, endless);
    const path = `/jobs/${String(id)}/events`;
    emulator.setFaults([
      { on: 'socket', do: 'refuse', status: 503 },
      { on: 'socket', do: 'close', code: 1000, after: { messages: 1 }, nth: 2 },
      { on: 'socket', do: 'cut', after: { bytes: 20 }, nth: 3 },
      { on: 'socket', do: 'mute', nth: 4 },
    ]);
    expect((await ask(emulator, 'GET', path)).status).toBe(503);
    expect((await ask(emulator, 'GET', path)).text).toMatch(/^event: status\ndata: .*\n\n$/u);
    await expect(ask(emulator, 'GET', path)).rejects.toThrow();
    const muted = allEventsOf(emulator, id);
    await until(() => emulator.openStreams === 1);
    emulator.refuseSockets(502);
    expect((await ask(emulator, 'GET', path)).status).toBe(502);
    emulator.refuseSockets(undefined);
    emulator.cutSockets();
    await expect(muted).rejects.toThrow();
    expect(emulator.ledger.faults.map(({ struck }) => struck)).toEqual([
      'stream 1',
      'stream 2',
      'stream 3',
      'stream 4',
    ]);
  });

  it('change the documents of their job: lost, late, or without its outputs at first', async () => {
    const emulator = await open({ dialect: 'v2', switches: { lostJob: 'expired with error' } });
    emulator.setFaults([
      { on: 'job', do: 'lose' },
      { on: 'job', do: 'late-outputs', reads: 1, nth: 2 },
      { on: 'job', do: 'vanish', when: 'ended', nth: 3 },
    ]);
    const small = textToImageWorkflow({ steps: 1, width: 64, height: 64 });
    const jobs = [
      await submitJob(emulator, small),
      await submitJob(emulator, small),
      await submitJob(emulator, small),
    ];
    const [lost, late, gone] = jobs.map(({ id }) => `/jobs/${String(id)}`) as [string, string, string];
    const hasEnded = ({ state }: { readonly state: string }): boolean =>
      ['completed', 'lost'].includes(state);
    await until(() => emulator.ledger.jobs.every(hasEnded));
    expect((await ask(emulator, 'GET', lost)).body).toMatchObject({
      status: 'expired',
      error: { code: 'worker_lost' },
    });
    expect((await ask(emulator, 'GET', late)).body['outputs']).toEqual([]);
    expect((await ask(emulator, 'GET', late)).body['outputs']).toHaveLength(2);
    expect((await ask(emulator, 'GET', gone)).body).toMatchObject({ error: { code: 'job_not_found' } });
  });
});
