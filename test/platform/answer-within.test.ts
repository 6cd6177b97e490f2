import { answerWithin } from '../../src/core/platform/answer-within.js';
import { expect, it } from 'vitest';
import { nextTurn } from '../../src/core/platform/next-turn.js';
import { virtualClock } from '../../src/testing.js';

it('gives the answer, and leaves no timer', async () => {
  const timers: number[] = [];
  const after = (delayMs: number) => {
    timers.push(delayMs);
    return () => void timers.pop();
  };
  expect(await answerWithin({ after }, 50, () => Promise.resolve('answer'), 'none')).toBe('answer');
  expect(timers).toEqual([]);
});

it.each([
  ['rejects', () => Promise.reject(new Error('away'))],
  [
    'throws',
    (): Promise<string> => {
      throw new Error('a bug');
    },
  ],
])('gives the other value where the question %s', async (_, ask: () => Promise<string>) => {
  expect(await answerWithin(virtualClock(), 50, ask, 'none')).toBe('none');
});

it('gives the other value where no answer comes in time', async () => {
  const clock = virtualClock();
  let given: string | undefined;
  void answerWithin(clock, 50, () => new Promise<string>(() => undefined), 'none').then(
    (one) => (given = one),
  );
  await clock.advance(49);
  expect(given).toBeUndefined();
  await clock.advance(1);
  expect(given).toBe('none');
});

it('waits for another turn of the event loop', async () => {
  const order: string[] = [];
  const clock = virtualClock();
  clock.after(0, () => order.push('another'));
  void nextTurn(clock).then(() => order.push('this one'));
  order.push('now');
  await clock.advance(0);
  expect(order).toEqual(['now', 'another', 'this one']);
});
