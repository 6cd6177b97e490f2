import { expect, it } from 'vitest';
import { nextTurn } from '../../src/core/platform/next-turn.js';

it('resolves once a timer of no time has come due, and no sooner', async () => {
  const timers: (readonly [number, () => void])[] = [];
  const turn = nextTurn({
    after: (delayMs, work) => {
      timers.push([delayMs, work]);
      return () => undefined;
    },
  });
  let isOver = false;
  void turn.then(() => (isOver = true));
  await Promise.resolve();
  expect([timers.map(([delayMs]) => delayMs), isOver]).toEqual([[0], false]);
  timers[0]?.[1]();
  await turn;
  expect(isOver).toBe(true);
});
