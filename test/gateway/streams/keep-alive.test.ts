import { expect, it } from 'vitest';
import { keepAlive } from '../../../src/server/gateway/streams/keep-alive.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

/** A stream that was sent bytes at its beginning, and the times of the signs of life that follow. */
const aStream = () => {
  const clock = virtualClock();
  const at = { sent: clock.now() };
  const signs: number[] = [];
  const ends = keepAlive(
    clock,
    1_000,
    () => at.sent,
    () => {
      signs.push(clock.now());
      at.sent = clock.now();
    },
  );
  return { clock, at, signs, ends };
};

it('gives a sign of life after each time of silence', async () => {
  const { clock, signs } = aStream();
  await clock.advance(999);
  expect(signs).toEqual([]);
  await clock.advance(2_001);
  expect(signs).toEqual([1_000, 2_000, 3_000]);
});

it('counts the silence from the last bytes, whatever they were', async () => {
  const { clock, at, signs } = aStream();
  await clock.advance(400);
  at.sent = clock.now();
  await clock.advance(900);
  at.sent = clock.now();
  await clock.advance(999);
  expect(signs).toEqual([]);
  await clock.advance(1);
  expect(signs).toEqual([2_300]);
  await clock.advance(1_000);
  expect(signs).toEqual([2_300, 3_300]);
});

it('tries again after the same time where the sign could not be given', async () => {
  const clock = virtualClock();
  let tries = 0;
  keepAlive(
    clock,
    1_000,
    () => 0,
    () => (tries += 1),
  );
  await clock.advance(3_500);
  expect(tries).toBe(3);
});

it('keeps no process alive, and nothing of it is left with the stream', async () => {
  const { clock, signs, ends } = aStream();
  await clock.runUntilIdle();
  expect([clock.now(), clock.pending()]).toEqual([0, 1]);
  ends.unsubscribe();
  expect(clock.pending()).toBe(0);
  await clock.advance(5_000);
  expect(signs).toEqual([]);
});
