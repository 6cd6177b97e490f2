import { expect, it } from 'vitest';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import { within } from '../../../src/server/gateway/jobs/within.js';

it('gives the result of work that takes a second at most, and what stands for it afterwards', async () => {
  const clock = virtualClock();
  let finish: (result: string) => void = () => undefined;
  const seen: string[] = [];
  void within(clock, new Promise<string>((resolve) => (finish = resolve)), 'otherwise').then((one) =>
    seen.push(one),
  );
  void within(clock, new Promise<string>(() => undefined), 'otherwise').then((one) => seen.push(one));
  await clock.advance(999);
  expect(seen).toEqual([]);
  finish('done');
  await clock.advance(0);
  expect(seen).toEqual(['done']);
  await clock.advance(1);
  expect(seen).toEqual(['done', 'otherwise']);
  expect(clock.pending()).toBe(0);
});

it('rejects as the work does', async () => {
  await expect(within(virtualClock(), Promise.reject(new Error('full')), 'otherwise')).rejects.toThrow(
    'full',
  );
});
