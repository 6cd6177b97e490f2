import { describe, expect, it } from 'vitest';
import { repeatCancel } from '../../src/server/joblog/repeat-cancel.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

describe('T7 a cancellation that a service did not follow', () => {
  it('is asked for again at growing intervals, a minute at most, whatever became of the last one', async () => {
    const clock = virtualClock();
    const times: number[] = [];
    const answers: unknown[] = [];
    const asking = repeatCancel(clock, () => {
      times.push(clock.now() / 1_000);
      return times.length % 2 === 0 ? Promise.reject(new Error('away')) : Promise.resolve(times.length);
    }).subscribe((answer) => answers.push(answer));
    await clock.advance(200_000);
    expect([times, answers]).toEqual([
      [5, 15, 35, 75, 135, 195],
      [1, 3, 5],
    ]);
    asking.unsubscribe();
    expect(clock.pending()).toBe(0);
  });

  it('keeps no process alive', () => {
    const timers: unknown[] = [];
    const after = (delayMs: number, _: () => void, options?: object) => {
      timers.push([delayMs, options]);
      return () => undefined;
    };
    repeatCancel({ after }, () => Promise.resolve()).subscribe();
    expect(timers).toEqual([[5_000, { background: true }]]);
  });

  it('waits for an answer before it asks again', async () => {
    const clock = virtualClock();
    let asked = 0;
    repeatCancel(clock, () => {
      asked += 1;
      return new Promise(() => undefined);
    }).subscribe();
    await clock.advance(600_000);
    expect(asked).toBe(1);
  });
});
