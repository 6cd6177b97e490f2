import { describe, expect, it } from 'vitest';
import type { EmulatorClock } from '../../src/emulator/clock.js';
import { Interrupted } from '../../src/emulator/engine/node-class.js';
import { createPace } from '../../src/emulator/pace.js';

/** A clock that writes down what is asked of it and lets a test fire its timers. */
const recordingClock = () => {
  const timers: { delayMs: number; fire: () => void; cancelled: boolean }[] = [];
  const clock: EmulatorClock = {
    now: () => 0,
    turn: () => Promise.resolve(),
    after: (delayMs, fire) => {
      const timer = { delayMs, fire, cancelled: false };
      timers.push(timer);
      return () => {
        timer.cancelled = true;
      };
    },
  };
  return { clock, timers };
};

describe('createPace', () => {
  it('takes 50 ms a step, divided by the speed', async () => {
    const { clock, timers } = recordingClock();
    const step = createPace(clock, 4).step(new AbortController().signal);
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([12.5]);
    timers[0]?.fire();
    await step;
  });

  it('makes no timer at infinite speed', async () => {
    const { clock, timers } = recordingClock();
    await createPace(clock, Infinity).step(new AbortController().signal);
    expect(timers).toEqual([]);
  });

  it.each([1, Infinity])(
    'rejects at once when the job was interrupted before, at speed %d',
    async (speed) => {
      const { clock, timers } = recordingClock();
      const pace = createPace(clock, speed);
      await expect(pace.step(AbortSignal.abort())).rejects.toThrow(Interrupted);
      await expect(pace.turn(AbortSignal.abort())).rejects.toThrow(Interrupted);
      expect(timers).toEqual([]);
    },
  );

  it('gives its timer up when the job is interrupted in the middle of a step', async () => {
    const { clock, timers } = recordingClock();
    const controller = new AbortController();
    const step = createPace(clock, 1).step(controller.signal);
    controller.abort();
    await expect(step).rejects.toThrow(Interrupted);
    expect(timers.map(({ cancelled }) => cancelled)).toEqual([true]);
  });
});
