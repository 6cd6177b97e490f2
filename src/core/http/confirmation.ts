import type { Clock } from '../platform/platform.js';

/** The call that confirms a refusal. */
export interface Confirmation {
  /** The call asks again, so that the others wait for this answer as well. */
  readonly asksAgain: () => void;
  readonly end: () => void;
}

/** Has one call at a time confirm a refusal, while the others wait for its result. */
export interface Confirmations {
  /** Settles when the confirmation under way ends; undefined if none is. */
  readonly over: () => Promise<void> | undefined;
  /** Makes the caller the one that confirms, until it calls `end`; undefined if another call does. */
  readonly begin: () => Confirmation | undefined;
  /** Ends the confirmation under way, so that the waiting calls go on. */
  readonly reset: () => void;
}

/** A call that confirms and gets no answer for so long is passed over: another one may confirm. */
export const confirmsWithinMs = 15_000;

/** Makes {@link Confirmations} with none under way. */
export const confirmations = (clock: Pick<Clock, 'now'>): Confirmations => {
  let latest: { readonly over: Promise<void>; readonly end: () => void; askedAt: number } | undefined;
  const current = () =>
    latest !== undefined && clock.now() - latest.askedAt < confirmsWithinMs ? latest : undefined;

  return {
    over: () => current()?.over,
    begin: () => {
      if (current() !== undefined) return undefined;
      let end = (): void => undefined;
      const over = new Promise<void>((resolve) => (end = resolve));
      const own = { over, end, askedAt: clock.now() };
      latest = own;
      return {
        asksAgain: () => {
          own.askedAt = clock.now();
          // It was passed over for a call that is passed over by now.
          if (latest !== undefined && current() === undefined) latest = own;
        },
        end: () => {
          end();
          if (latest === own) latest = undefined;
        },
      };
    },
    reset: () => {
      latest?.end();
      latest = undefined;
    },
  };
};
