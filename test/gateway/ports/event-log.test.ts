import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logSteps, playLog } from './event-log-model.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { runs } from '../../helpers/runs.js';

const cancelled = (at: number) => ({ type: 'cancelRequested', at }) as const;

describe('a log of events', () => {
  it.each([6])('gives each reader what its contract says, with room for %s events', async (maxEvents) => {
    await fc.assert(
      fc.asyncProperty(logSteps, async (steps) => {
        const { answers, expected } = await playLog(steps, maxEvents, () =>
          Promise.resolve(memoryEventLog({ maxEvents })),
        );
        expect(answers).toEqual(expected);
      }),
      { numRuns: runs(300) },
    );
  });

  it('counts the characters of its events, and keeps what fits exactly', async () => {
    const size = JSON.stringify(cancelled(1)).length;
    const log = memoryEventLog({ maxSize: 3 * size });
    const kept = async (jobId: string) => !(await log.read({ owner: 'alice', jobId }, undefined, 9)).gap;
    for (const jobId of ['a', 'b', 'c']) await log.append('alice', jobId, [cancelled(1)]);
    expect([await kept('a'), await kept('b'), await kept('c')]).toEqual([true, true, true]);
    await log.expire('alice', 'c');
    await log.append('alice', 'd', [cancelled(1)]);
    expect([await kept('a'), await kept('d')]).toEqual([true, true]);
    await log.append('alice', 'e', [cancelled(1)]);
    expect([await kept('a'), await kept('b'), await kept('e')]).toEqual([false, true, true]);
  });

  it('knows no position of another log, and none that it has not given', async () => {
    const log = memoryEventLog();
    const [first = ''] = await log.append('alice', 'a', [cancelled(1)]);
    const [epoch = ''] = first.split('-');
    const gapAt = async (after: string) => (await log.read({ owner: 'alice' }, after, 9)).gap;
    for (const position of [first, `${epoch}-0`]) expect(await gapAt(position)).toBe(false);
    const foreign = (await memoryEventLog().append('alice', 'a', [cancelled(1)]))[0]!;
    for (const position of [
      ...[foreign, '', epoch, `${epoch}-`, `${epoch}-2`, `${epoch}-01`, `${epoch}--1`, `${epoch}-1 `],
      ...[`${epoch}-1.0`, `${epoch}-1e0`, `x${first}`, `~${first}`, `${epoch}-9999999999999999`],
    ])
      expect([position, await gapAt(position)]).toEqual([position, true]);
  });
});
