import { onAbort } from '../interop/on-abort.js';

/** Bounds how much work runs at once; all callers share the count. */
export interface Semaphore {
  /** Runs the work once fewer than `limit` run, or `signal` has aborted, which the work must check itself. */
  readonly run: <A>(limit: number, signal: AbortSignal, work: () => AsyncIterable<A>) => AsyncIterable<A>;
}

/** Makes a {@link Semaphore}; the caller that waits longest comes first. */
export const semaphore = (): Semaphore => {
  let taken = 0;
  let waiting: readonly Waiter[] = [];

  const giveBack = (): void => {
    taken -= 1;
    const next = waiting.find(({ limit }) => taken < limit);
    if (next === undefined) return;
    waiting = waiting.filter((waiter) => waiter !== next);
    next.go(grant());
  };
  const grant = (): (() => void) => {
    taken += 1;
    let held = true;
    return () => {
      if (held) giveBack();
      held = false;
    };
  };

  const take = (limit: number, signal: AbortSignal): Promise<() => void> =>
    new Promise((resolve) => {
      if (signal.aborted || taken < limit) {
        resolve(signal.aborted ? nothing : grant());
        return;
      }
      const abandon = (): void => {
        waiting = waiting.filter((other) => other !== waiter);
        resolve(nothing);
      };
      const waiter: Waiter = {
        limit,
        go: (free) => {
          stopListening();
          resolve(free);
        },
      };
      const stopListening = onAbort(signal, abandon);
      waiting = [...waiting, waiter];
    });

  return {
    run: async function* (limit, signal, work) {
      const free = await take(limit, signal);
      try {
        yield* work();
      } finally {
        free();
      }
    },
  };
};

interface Waiter {
  readonly limit: number;
  readonly go: (free: () => void) => void;
}

const nothing = (): void => undefined;
