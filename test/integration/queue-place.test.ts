import { describe, expect, it } from 'vitest';
import { emulated, reaches, slow, submit } from '../helpers/emulated.js';
import { filter, firstValueFrom, lastValueFrom } from 'rxjs';
import type { Emulator, EmulatorOptions } from '../../src/emulator.js';
import { toPromise } from '../../src/core/interop/to-promise.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

/** The routes that the client of the waiting job asked for. */
const routes = ({ requests }: Emulator): readonly string[] =>
  requests
    .filter(({ headers }) => headers['x-client'] === 'waiting')
    .map(({ method, url }) => `${method} ${url.replace(/[\da-f-]{36}/u, '{id}').replace(/\?.*/u, '')}`)
    .filter((route) => route !== 'GET /ws');

/** A service with one slot, which a job of another client holds, and a client whose time passes in `clock.advance` alone. */
const busy = async (options: EmulatorOptions) => {
  const { emulator, client: other, newClient } = await emulated({ concurrency: 1, ...options });
  const clock = virtualClock();
  const client = newClient({ headers: { 'x-client': 'waiting' } }, () => ({ clock, random: () => 0.5 }));
  const hold = async () => {
    const job = await submit(other, slow());
    await reaches(job, 'in_progress');
    return () => toPromise(other.cancel(job.promptId));
  };
  return { emulator, client, clock, hold };
};

describe('the place of a job that waits', () => {
  it('O6: is told by the cloud of 2026-11 within a few seconds, and again once the job moved up', async () => {
    const { client, clock, hold } = await busy({ profile: '2026-11' });
    await hold();
    const before = await submit(client, slow());
    const job = await submit(client, slow());
    const isAt = (position: number) =>
      firstValueFrom(job.states.pipe(filter(({ queue }) => queue?.position === position)));
    const told = isAt(2);
    await clock.advance(3_000);
    expect(await told).toMatchObject({
      phase: 'pending',
      queue: { position: 2, reason: 'concurrency_limit' },
    });
    const moved = isAt(1);
    await toPromise(client.cancel(before.promptId));
    await clock.advance(6_000);
    expect(await moved).toMatchObject({ phase: 'pending', queue: { position: 1 } });
  });
});

describe('the requests of a job that waits', () => {
  it('O6: of a service without the jobs API are those of any other, also of the first one', async () => {
    const { emulator, client, clock, hold } = await busy({ switches: { jobsApi: 'none' } });
    const play = async (isShown: () => boolean) => {
      const from = routes(emulator).length;
      const release = await hold();
      const job = await submit(client, slow(1));
      const end = lastValueFrom(job.states);
      await clock.advance(10_000);
      while (!isShown()) await new Promise(setImmediate);
      await release();
      expect(await end).toMatchObject({ phase: 'completed', outputsComplete: true });
      return routes(emulator).slice(from);
    };
    const asksJobsApi = (route: string) => route === 'GET /api/jobs/{id}';
    // By that a first job shows in any case that there is none.
    expect(await play(() => routes(emulator).some(asksJobsApi))).toEqual([
      ...['POST /api/prompt', 'GET /api/jobs/{id}', 'GET /api/history_v2/{id}'],
    ]);
    expect(await play(() => true)).toEqual(['POST /api/prompt', 'GET /api/history_v2/{id}']);
  });
});
