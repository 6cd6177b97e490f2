import { expect, it } from 'vitest';
import { pauseUnless, WorkerStops } from '../../../src/server/queue/worker/pause-unless.js';
import { takeOver } from '../../../src/server/queue/worker/take-over.js';
import { virtualClock } from '../../../src/testing.js';

const lock = { key: 'k', token: 'l' };
/** A job of a later version, for which a worker pauses once it has left it. */
const later = { id: 'x', tenant: 't', priority: 0, phase: 'held', createdAt: 5, later: true } as const;

/** A slot token of this worker, whose job is `held`. */
const world = (held: object | 'none' = { id: 'x', fence: 1, record: {}, job: later }) => {
  const clock = virtualClock();
  const calls: unknown[] = [];
  const told: string[] = [];
  const stopping = new AbortController();
  const lost = new AbortController();
  const store = {
    take: (...call: readonly unknown[]) => {
      calls.push(call);
      return held instanceof Error
        ? Promise.reject(held)
        : Promise.resolve((held === 'none' ? undefined : held) as never);
    },
    leave: (_: unknown, phase: string) => Promise.resolve(calls.push(`leave ${phase}`) > 0),
  };
  const take = takeOver({
    ...{ store, worker: 'w', slots: 3, stopping: stopping.signal, clock },
    context: { store } as never,
    tellThrown: (what, cause) => void told.push(`${what}: ${String(cause)}`),
  });
  return { take: () => take('turn', lost.signal, lock), calls, told, clock, stopping, lost };
};

const taken = ['turn', 'w', lock, 3];

it('ends a slot token without a job, which it asked for by its lock', async () => {
  const { take, calls } = world('none');
  expect(await take()).toBe('done');
  expect(calls).toEqual([taken]);
});

it('leads the job of a slot token to where it is left', async () => {
  const { take, calls, clock } = world();
  const taking = take();
  let isOver = false;
  void taking.then(() => (isOver = true));
  await clock.advance(4_999);
  expect([calls, isOver]).toEqual([[taken, 'leave waiting'], false]);
  await clock.advance(1);
  expect(await taking).toBe('requeue');
});

it.each(['stopping', 'lost'] as const)(
  'gives a slot token back at the signal %s, before it takes a job and while it waits',
  async (which) => {
    const early = world();
    early[which].abort();
    expect(await early.take()).toBe('requeue');
    expect(early.calls).toEqual([]);
    const late = world();
    const taking = late.take();
    await late.clock.advance(0);
    late[which].abort();
    expect(await taking).toBe('requeue');
  },
);

it('throws what the store does, and tells of it where the worker goes on', async () => {
  const { take, told } = world(new Error('away'));
  await expect(take()).rejects.toThrow('away');
  expect(told).toEqual(['The run of a job threw, and is tried again: Error: away']);
  const ended = world(new Error('away'));
  const taking = ended.take();
  ended.stopping.abort();
  await expect(taking).rejects.toThrow('away');
  expect(ended.told).toEqual([]);
});

it('pauses for as long as it is told, and ends the pause with the signal', async () => {
  const clock = virtualClock();
  const stop = new AbortController();
  const { signal } = stop;
  let isOver = false;
  const pause = pauseUnless(clock, signal, 30).then(() => (isOver = true));
  await clock.advance(29);
  expect(isOver).toBe(false);
  await clock.advance(1);
  await pause;
  const other = pauseUnless(clock, signal, 30);
  stop.abort();
  await expect(other).rejects.toBeInstanceOf(WorkerStops);
  await expect(pauseUnless(clock, signal, 30)).rejects.toMatchObject({ name: 'WorkerStops' });
});
