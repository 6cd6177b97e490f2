import type { EmulatorClock } from './clock.js';
import { Interrupted } from './engine/node-class.js';

/** The waits of a run; each rejects with `Interrupted` as soon as `signal` aborts. */
export interface Pace {
  /** Waits for one step of a sampler or of the queue: at least one turn of the event loop. */
  readonly step: (signal: AbortSignal) => Promise<void>;
  /** Yields to the event loop, without a delay. */
  readonly turn: (signal: AbortSignal) => Promise<void>;
  /** Waits for a time that the speed does not change; at least one turn of the event loop. */
  readonly pause: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

/** A step takes 50 ms at `speed` 1; at `Infinity` it sets no timer and is one turn of the event loop. */
export const createPace = (clock: EmulatorClock, speed: number): Pace => {
  const turn = async (signal: AbortSignal): Promise<void> => {
    throwIfInterrupted(signal);
    await clock.turn();
    throwIfInterrupted(signal);
  };
  const step = (signal: AbortSignal): Promise<void> => wait(clock, STEP_MS / speed, signal);
  const pause: Pace['pause'] = (delayMs, signal) =>
    delayMs > 0 ? wait(clock, delayMs, signal) : turn(signal);
  return { turn, pause, step: speed === Infinity ? turn : step };
};

const STEP_MS = 50;

const wait = (clock: EmulatorClock, delayMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new Interrupted());
      return;
    }
    const cancel = clock.after(delayMs, () => {
      signal.removeEventListener('abort', interrupt);
      resolve();
    });
    const interrupt = (): void => {
      cancel();
      reject(new Interrupted());
    };
    signal.addEventListener('abort', interrupt, { once: true });
  });

const throwIfInterrupted = (signal: AbortSignal): void => {
  if (signal.aborted) throw new Interrupted();
};
