import { describe, expect, it } from 'vitest';
import { type ReadOutcome, RecordWait, type WaitLimits } from '../../src/client/jobs/record-wait.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

type Step = readonly [afterMs: number, what: ReadOutcome | 'begin' | 'known' | 'notKnown'];

/** What is left of 100 s after these steps, 30 s of which may pass out of reach and 20 s unknown. */
const leftAfter = async (steps: readonly Step[], limits: Partial<WaitLimits> = {}): Promise<number> => {
  const clock = virtualClock();
  const wait = new RecordWait(clock);
  for (const [afterMs, what] of steps) {
    await clock.advance(afterMs);
    if (what === 'begin') wait.begin();
    else if (what === 'known') wait.known();
    else if (what === 'notKnown') wait.unknown();
    else wait.read(what);
  }
  return wait.leftMs({ patienceMs: 100_000, maxUnreachableMs: 30_000, maxUnknownMs: 20_000, ...limits });
};

const begun: readonly Step[] = [
  [0, 'begin'],
  [0, 'answered'],
];

describe('RecordWait', () => {
  it('F16: counts from the first answer on', async () => {
    expect(await leftAfter([])).toBe(100_000);
    expect(await leftAfter([[5_000, 'begin']])).toBe(100_000);
    expect(
      await leftAfter([
        [5_000, 'begin'],
        [7_000, 'answered'],
      ]),
    ).toBe(100_000);
    expect(await leftAfter([...begun, [1_000, 'answered'], [2_000, 'answered']])).toBe(97_000);
  });

  it('F16: counts from one answer to the next, whenever the question was put', async () => {
    expect(await leftAfter([...begun, [4_000, 'begin'], [1_000, 'answered']])).toBe(95_000);
  });

  it('F29: counts a minute at most from one read to the next', async () => {
    expect(await leftAfter([...begun, [59_999, 'answered']])).toBe(40_001);
    expect(await leftAfter([...begun, [3_600_000, 'answered']])).toBe(40_000);
  });

  it('F23: excuses the time out of reach up to its limit', async () => {
    expect(await leftAfter([...begun, [30_000, 'unreachable']])).toBe(100_000);
    expect(await leftAfter([...begun, [20_000, 'unreachable'], [10_001, 'unreachable']])).toBe(99_999);
    expect(
      await leftAfter([
        [0, 'begin'],
        [31_000, 'unreachable'],
        [5_000, 'answered'],
      ]),
    ).toBe(99_000);
    expect(await leftAfter([...begun, [1_000, 'unreachable'], [2_000, 'answered']])).toBe(98_000);
  });

  it('F16: excuses the time in which the job is not known up to its limit', async () => {
    expect(await leftAfter([...begun, [20_000, 'unknown']])).toBe(100_000);
    expect(await leftAfter([...begun, [15_000, 'unknown'], [5_001, 'unknown']])).toBe(99_999);
    expect(
      await leftAfter([
        [0, 'begin'],
        [21_000, 'unknown'],
        [5_000, 'answered'],
      ]),
    ).toBe(99_000);
  });

  it('F16: counts what is beyond either limit', async () => {
    const steps: readonly Step[] = [...begun, [31_000, 'unreachable'], [22_000, 'unknown']];
    expect(await leftAfter(steps)).toBe(97_000);
    expect(await leftAfter(steps, { patienceMs: 8_000 })).toBe(5_000);
  });

  it('F16: excuses what was awaited since the job was last known, once it is not', async () => {
    const steps: readonly Step[] = [...begun, [10_000, 'answered'], [0, 'known'], [5_000, 'answered']];
    expect(await leftAfter(steps)).toBe(85_000);
    expect(await leftAfter([...steps, [0, 'notKnown']])).toBe(90_000);
    expect(await leftAfter([...steps, [0, 'notKnown'], [0, 'notKnown']])).toBe(90_000);
    expect(await leftAfter([...steps, [0, 'notKnown']], { maxUnknownMs: 4_000 })).toBe(89_000);
    expect(await leftAfter([...steps, [0, 'notKnown'], [1_000, 'answered']])).toBe(89_000);
  });
});
