import type { EmulatorClock } from './clock.js';
import { Interrupted } from './engine/node-class.js';

/** How long the parts of a run take; every wait rejects with `Interrupted` as soon as `signal` aborts. */
export interface Pace {
  /** As long as one step of a sampler, or one beat of the queue, takes; at least a turn. */
  readonly step: (signal: AbortSignal) => Promise<void>;
  /** Lets everything else have its turn, without a delay. */
  readonly turn: (signal: AbortSignal) => Promise<void>;
}

/** A pace of 50 ms a step at `speed` 1; at `Infinity` no timer is ever made, and a step is a mere turn. */
export const createPace = (clock: EmulatorClock, speed: number): Pace => {
  const turn = async (signal: AbortSignal): Promise<void> => {
    throwIfInterrupted(signal);
    await clock.turn();
    throwIfInterrupted(signal);
  };
  const step = (signal: AbortSignal): Promise<void> => wait(clock, STEP_MS / speed, signal);
  return { turn, step: speed === Infinity ? turn : step };
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
