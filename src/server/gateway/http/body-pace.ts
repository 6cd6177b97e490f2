import type { Clock } from '../../../core/platform/platform.js';
import { from, map, race } from 'rxjs';
import { HttpRefusal } from './refusal.js';
import { timerOn } from '../../../core/platform/timer.js';

/** Bounds how long a gateway waits for a body, by how much of it has come. */
export interface BodyPace {
  /** Waits for the next piece; rejects with `HttpRefusal` (408) where it stays away. */
  readonly wait: (
    piece: Promise<ReadableStreamReadResult<Uint8Array>>,
  ) => Promise<ReadableStreamReadResult<Uint8Array>>;
}

/** The longest silence while a body arrives, in milliseconds. */
const longestSilenceMs = 30_000;

/** The slowest that a body may come on average. People's slow lines carry some kilobytes a second; a slower body only occupies a slot. */
const minBytesPerMs = 1;

/**
 * Makes a {@link BodyPace}: 30 s for the first piece and between two, and on the whole 30 s and a millisecond for each byte that has
 * come. The time that the gateway itself takes between two pieces does not count.
 */
export const bodyPace = (clock: Pick<Clock, 'now' | 'after'>): BodyPace => {
  let bytes = 0;
  let waitedMs = 0;
  return {
    wait: async (piece) => {
      const began = clock.now();
      const leftMs = longestSilenceMs + bytes / minBytesPerMs - waitedMs;
      const late = timerOn(clock, Math.min(longestSilenceMs, leftMs), { background: true }).pipe(
        map((): never => {
          throw tooSlow;
        }),
      );
      const result = await new Promise<ReadableStreamReadResult<Uint8Array>>((resolve, reject) => {
        race(from(piece), late).subscribe({ next: resolve, error: reject });
      });
      waitedMs += clock.now() - began;
      bytes += result.value?.byteLength ?? 0;
      return result;
    },
  };
};

const tooSlow = new HttpRefusal({
  status: 408,
  code: 'body_too_slow',
  message: 'The body comes too slowly: less than a kilobyte a second, or nothing for 30 seconds.',
  headers: { connection: 'close' },
});
