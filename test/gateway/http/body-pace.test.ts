import { describe, expect, it } from 'vitest';
import { bodyPace } from '../../../src/server/gateway/http/body-pace.js';
import type { HttpRefusal } from '../../../src/server/gateway/http/refusal.js';
import { type VirtualClock, virtualClock } from '../../../src/testing/virtual-clock.js';

/** How long a body may be read whose pieces of so many bytes come at intervals, in seconds; undefined where it is whole first. */
const cutAfter = async (pieceBytes: number, everyMs: number, pieces: number): Promise<number | undefined> => {
  const clock = virtualClock();
  const pace = bodyPace(clock);
  const read = async (): Promise<number | undefined> => {
    try {
      for (let piece = 0; piece < pieces; piece += 1) {
        const value = new Uint8Array(pieceBytes);
        await pace.wait(later(clock, everyMs, { done: false, value }));
      }
      return undefined;
    } catch (error) {
      expect((error as HttpRefusal).refusal).toMatchObject({
        ...{ status: 408, code: 'body_too_slow' },
        // The rest of the body is not waited for either.
        headers: { connection: 'close' },
      });
      return clock.now() / 1000;
    }
  };
  return clock.until(read());
};

const later = <A>(clock: VirtualClock, ms: number, value: A): Promise<A> =>
  new Promise((resolve) => void clock.after(ms, () => resolve(value)));

describe('T3 a body that is waited for', () => {
  it('is cut once nothing came for 30 seconds', async () => {
    expect(await cutAfter(1_000_000, 30_001, 1)).toBe(30);
    expect(await cutAfter(1_000_000, 29_999, 3)).toBeUndefined();
  });

  it('is cut where it drips, and has all the time that it needs while it moves', async () => {
    expect(await cutAfter(1, 1_000, 99)).toBe(30.03);
    // A modem's line: 2 kB a second for an hour.
    expect(await cutAfter(20_000, 10_000, 360)).toBeUndefined();
  });

  it('is not cut for the time that passes while no one waits for it', async () => {
    const clock = virtualClock();
    const pace = bodyPace(clock);
    const piece = { done: false as const, value: new Uint8Array(1) };
    await pace.wait(Promise.resolve(piece));
    await clock.advance(3_600_000);
    expect(await pace.wait(Promise.resolve(piece))).toBe(piece);
  });

  it('rejects as its source does', async () => {
    await expect(bodyPace(virtualClock()).wait(Promise.reject(new Error('cut')))).rejects.toThrow('cut');
  });

  it('is waited for by timers that keep no process alive, and leaves none', async () => {
    const clock = virtualClock();
    const options: unknown[] = [];
    const after: typeof clock.after = (delayMs, work, given) => {
      options.push(given);
      return clock.after(delayMs, work, given);
    };
    const pace = bodyPace({ now: clock.now, after });
    await pace.wait(Promise.resolve({ done: true, value: undefined }));
    expect([options, clock.pending()]).toEqual([[{ background: true }], 0]);
  });
});
