import { call, open, submit } from './support.js';
import { createPace } from '../../src/emulator/pace.js';
import { describe, expect, it } from 'vitest';
import type { EmulatorClock } from '../../src/emulator/clock.js';
import { Interrupted } from '../../src/emulator/engine/node-class.js';
import { textToImageWorkflow, virtualClock } from '../../src/emulator.js';

describe('virtualClock', () => {
  it('does what comes due in the order of its time, also what is set meanwhile', async () => {
    const clock = virtualClock(1_000);
    const seen: (readonly [string, number])[] = [];
    const note = (what: string) => () => seen.push([what, clock.now()]);
    clock.after(300, note('third'));
    clock.after(100, () => {
      note('first')();
      clock.after(100, note('second'));
    });
    const cancel = clock.after(50, note('never'));
    cancel();
    await clock.advance(250);
    expect(seen).toEqual([
      ['first', 1_100],
      ['second', 1_200],
    ]);
    await clock.advance(50);
    expect(seen.at(-1)).toEqual(['third', 1_300]);
    expect(clock.now()).toBe(1_300);
  });

  it('advances only after all awaited turns', async () => {
    const clock = virtualClock(0);
    const seen: string[] = [];
    clock.after(1, () => {
      void (async () => {
        for (let turn = 0; turn < 20; turn += 1) await clock.turn();
        seen.push('after twenty turns');
      })();
    });
    clock.after(2, () => seen.push('later'));
    await clock.advance(2);
    expect(seen).toEqual(['after twenty turns', 'later']);
  });

  it('makes a job of three hours stand still until they have passed', async () => {
    const clock = virtualClock();
    const emulator = await open({ clock, speed: 0.001 });
    const job = await submit(emulator, textToImageWorkflow({ steps: 200, width: 64, height: 64 }));
    const status = async (): Promise<unknown> =>
      (await call(emulator, 'GET', `/api/job/${job}/status`)).body['status'];
    await clock.advance(600_000);
    expect(await status()).toBe('in_progress');
    await clock.advance(3 * 3_600_000);
    expect(await status()).toBe('completed');
  });

  it('lets a signed address expire', async () => {
    const clock = virtualClock();
    const emulator = await open({ clock, speed: Infinity, switches: { signedUrlMs: 5_000 } });
    const job = await submit(emulator, textToImageWorkflow({ steps: 1, width: 64, height: 64 }));
    await clock.advance(0);
    const { body } = await call(emulator, 'GET', `/api/history_v2/${job}`);
    const [image] = (body['outputs'] as Record<string, { images: Record<string, string>[] }>)['9']!.images;
    const { headers } = await call(emulator, 'GET', `/api/view?${String(new URLSearchParams(image))}`);
    const fetched = async (): Promise<number> => (await fetch(headers.get('location')!)).status;
    expect(await fetched()).toBe(200);
    await clock.advance(5_000);
    expect(await fetched()).not.toBe(200);
  });
});

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
