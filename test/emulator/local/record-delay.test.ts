import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../../src/emulator.js';
import { recordDelays } from '../../../src/emulator/local/record-delay.js';
import { localSwitches } from '../../../src/emulator/profiles.js';
import { quick } from '../support.js';
import { listenLocal, openLocal, post, queue, record } from './support.js';

describe('the record of a local job', () => {
  it('M11: trails execution_success, and until then the queue shows the job as running', async () => {
    const clock = virtualClock();
    const emulator = await openLocal({ clock, switches: { recordDelayMs: 10 } });
    const listener = await listenLocal(emulator, 'x');
    await post(emulator, quick, 'x', { prompt_id: 'p' });
    await listener.until('execution_success');
    await clock.advance(9);
    await listener.settle();
    expect(listener.types().at(-1)).toBe('execution_success');
    expect(await record(emulator, 'p')).toBeUndefined();
    expect(await queue(emulator)).toEqual({ running: ['p'], pending: [] });
    expect(emulator.ledger.jobs[0]?.state).toBe('completed');

    await clock.advance(1);
    await listener.until('executing', ({ node }) => node === null);
    expect(await record(emulator, 'p')).toMatchObject({ status: { completed: true } });
    expect(await queue(emulator)).toEqual({ running: [], pending: [] });
  });

  it('M11: does not come after the emulator was closed', async () => {
    const clock = virtualClock();
    const emulator = await openLocal({ clock, switches: { recordDelayMs: 10 } });
    const listener = await listenLocal(emulator, 'x');
    await post(emulator, quick, 'x');
    await listener.until('execution_success');
    await emulator.close();
    await clock.advance(10);
    expect(listener.types().at(-1)).toBe('execution_success');
  });
});

describe('the delays of records', () => {
  const drawn = (seed: number, speed = 1) =>
    Array.from({ length: 200 }, recordDelays({ switches: localSwitches, seed, speed }));

  it('M11: lie between 0 and 10 ms, and follow from the seed', () => {
    const delays = drawn(1);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(Math.min(...delays)).toBeLessThan(1);
    expect(Math.max(...delays)).toBeLessThan(10);
    expect(Math.max(...delays)).toBeGreaterThan(9);
    expect(drawn(1)).toEqual(delays);
    expect(drawn(2)).not.toEqual(delays);
  });

  it('M11: are none at a speed without delays, unless the switch names one', () => {
    expect(new Set(drawn(1, Infinity))).toEqual(new Set([0]));
    const switches = { ...localSwitches, recordDelayMs: 3 };
    expect(recordDelays({ switches, seed: 1, speed: Infinity })()).toBe(3);
  });
});
