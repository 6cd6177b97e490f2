import { onAbort } from '../interop/on-abort.js';

/** A number of things that may go on at once, shared by all who ask here. */
export interface Slots {
  /** Does the work once fewer than `limit` go on, or `signal` has aborted, which the work must see for itself. */
  readonly during: <A>(limit: number, signal: AbortSignal, work: () => AsyncIterable<A>) => AsyncIterable<A>;
}

/** Makes {@link Slots} of which nothing goes on; whoever waits longest comes first. */
export const slots = (): Slots => {
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
    during: async function* (limit, signal, work) {
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
