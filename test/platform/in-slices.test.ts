import { expect, it } from 'vitest';
import { done, type Steps } from '../../src/core/protocol/steps.js';
import { inSlices } from '../../src/core/platform/in-slices.js';
import { workingClock } from '../helpers/working-clock.js';

/** Counts to a number, a step each. */
function* counting(to: number, told: (at: number) => void = () => undefined): Steps<number> {
  for (let at = 1; at <= to; at += 1) {
    told(at);
    yield;
  }
  return to;
}

it('does all steps at once, or in slices of 15 ms with a turn of the event loop between them', async () => {
  expect(done(counting(5))).toBe(5);
  const { clock, work, turns } = workingClock();
  // Each step takes 4 ms: four make a slice.
  expect(
    await inSlices(
      counting(10, () => work(4)),
      clock,
    ),
  ).toBe(10);
  expect(turns).toEqual([16, 32]);
});

it('rejects with what a step throws', async () => {
  const broken = (function* (): Steps<never> {
    yield;
    throw new Error('a step');
  })();
  await expect(inSlices(broken, { now: () => 0, after: () => () => undefined })).rejects.toThrow('a step');
});
