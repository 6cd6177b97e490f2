import { expect, it } from 'vitest';
import type { EventLog } from '../../../src/server/joblog/event-log.js';
import fc from 'fast-check';
import type { LifecycleEvent } from '../../../src/core/events/job-log-event.js';
import { logSteps, playLog } from './event-log-model.js';

const event = (at: number): LifecycleEvent => ({ type: 'cancelRequested', at });
const numbers = (from: number, to: number): readonly LifecycleEvent[] =>
  Array.from({ length: to - from + 1 }, (_, index) => event(from + index));
const moments = (events: readonly { readonly event: LifecycleEvent }[]) => events.map((one) => one.event.at);

/**
 * What every log of events is, in memory, in a folder or in Redis. `open` opens a log: a new one for a name that it has not seen, and for
 * another one what is kept of it, once that was closed.
 */
export const isAnEventLog = (
  open: (name: string) => Promise<EventLog>,
  plays: number,
  reopens: boolean,
): void => {
  let names = 0;
  const newName = (): string => `log ${(names += 1)}`;

  it('reads what was appended, in order, of an owner or of a job, from the beginning or after a position', async () => {
    const log = await open(newName());
    const ids = await log.append('o', 'x', numbers(1, 3));
    await log.append('o', 'y', numbers(4, 5));
    await log.append('other', 'x', numbers(6, 6));
    const all = await log.read({ owner: 'o' }, undefined, 100);
    expect(all.gap).toBe(false);
    expect(moments(all.events)).toEqual([1, 2, 3, 4, 5]);
    expect(all.events.map(({ jobId }) => jobId)).toEqual(['x', 'x', 'x', 'y', 'y']);
    expect(all.events.slice(0, 3).map(({ id }) => id)).toEqual(ids);
    expect(moments((await log.read({ owner: 'o' }, ids[1], 2)).events)).toEqual([3, 4]);
    expect(moments((await log.read({ owner: 'o', jobId: 'x' }, ids[0], 100)).events)).toEqual([2, 3]);
    expect(await log.read({ owner: 'o' }, await log.position('o'), 100)).toEqual({ events: [], gap: false });
    await log.close?.();
  });

  it('gives a gap for a position that is none of the log', async () => {
    const log = await open(newName());
    const [first] = await log.append('o', 'x', numbers(1, 1));
    await log.append('other', 'x', numbers(1, 1));
    const foreign = await log.position('other');
    const beyond = String(first).replace(/1$/u, '7');
    for (const after of [foreign, beyond, 'nonsense', '']) {
      expect(await log.read({ owner: 'o' }, after, 10)).toEqual({ events: [], gap: true });
    }
    expect(await log.read({ owner: 'unheard of' }, first, 10)).toEqual({ events: [], gap: true });
    expect(await log.read({ owner: 'o', jobId: 'unheard of' }, undefined, 10)).toEqual({
      events: [],
      gap: true,
    });
    expect(await log.read({ owner: 'unheard of' }, undefined, 10)).toEqual({ events: [], gap: false });
    await log.close?.();
  });

  it('forgets the events of one job, which is a gap for readers before them', async () => {
    const log = await open(newName());
    const [first] = await log.append('o', 'x', numbers(1, 1));
    const [second] = await log.append('o', 'y', numbers(2, 2));
    await log.append('o', 'x', numbers(3, 3));
    await log.expire('o', 'y');
    expect((await log.read({ owner: 'o' }, first, 10)).gap).toBe(true);
    expect(moments((await log.read({ owner: 'o' }, second, 10)).events)).toEqual([3]);
    expect(moments((await log.read({ owner: 'o' }, undefined, 10)).events)).toEqual([1, 3]);
    expect((await log.read({ owner: 'o', jobId: 'y' }, undefined, 10)).gap).toBe(true);
    expect(moments((await log.read({ owner: 'o', jobId: 'x' }, first, 10)).events)).toEqual([3]);
    await log.close?.();
  });

  it('keeps names apart that run into each other, and integers beyond 2^53', async () => {
    const log = await open(newName());
    const output = {
      type: 'output',
      at: 1,
      nodeId: '9',
      outputs: { seed: 2n ** 64n },
      added: [],
    } as unknown as LifecycleEvent;
    await log.append('a!b', 'c', numbers(1, 1));
    await log.append('a', 'b!c', numbers(2, 2));
    await log.append('a', 'b', [output]);
    expect(moments((await log.read({ owner: 'a!b', jobId: 'c' }, undefined, 9)).events)).toEqual([1]);
    expect(moments((await log.read({ owner: 'a', jobId: 'b!c' }, undefined, 9)).events)).toEqual([2]);
    expect((await log.read({ owner: 'a', jobId: 'b' }, undefined, 9)).events[0]?.event).toEqual(output);
    await log.close?.();
  });

  it('gives each reader what its contract says', async () => {
    await fc.assert(
      fc.asyncProperty(logSteps, fc.integer({ min: 2, max: 9 }), async (steps, reopenEach) => {
        const name = newName();
        const { answers, expected } = await playLog(
          ...([steps, Infinity, () => open(name), reopens ? reopenEach : Infinity] as const),
        );
        expect(answers).toEqual(expected);
      }),
      { numRuns: plays },
    );
  });
};
