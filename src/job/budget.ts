import { Observable } from 'rxjs';
import type { CancelTimer, Clock } from '../socket/platform.js';

/** Who waits for a turn. */
export interface Turn {
  /** The turn has come; called once for each time that it was entered. */
  readonly taken: () => void;
}

/** A shared allowance of requests. */
export interface RequestBudget {
  /** Asks for a turn, which may come at once. Whoever waits already keeps its place. */
  readonly enter: (turn: Turn) => void;
  /** Gives a turn up that has not come yet. */
  readonly leave: (turn: Turn) => void;
  /** The same as a stream: each subscription waits for a turn of its own, emits once and completes. */
  readonly turns: Observable<void>;
}

/** Options of {@link requestBudget}. */
export interface BudgetOptions {
  /** Requests that may be made a second; default 5. */
  readonly perSecond?: number;
  /** Requests that may be made at once after a pause; default 10. */
  readonly burst?: number;
}

/**
 * Turns are given in the order in which they were asked for, so the job that has been silent for longest comes first. A
 * turn that is given up is passed on. One budget serves all jobs of a client: after a reconnect, thousands of them are
 * asked for at the pace that a service can bear, and wait in this queue with nothing but their place in it.
 */
export const requestBudget = (
  clock: Clock,
  { perSecond = 5, burst = 10 }: BudgetOptions = {},
): RequestBudget => {
  const waiting = new Set<Turn>();
  let tokens = burst;
  let countedAt = clock.now();
  let cancelTimer: CancelTimer | undefined;

  const refill = (): void => {
    const now = clock.now();
    tokens = Math.min(burst, tokens + ((now - countedAt) * perSecond) / 1000);
    countedAt = now;
  };
  const serve = (): void => {
    cancelTimer = undefined;
    refill();
    for (const turn of waiting) {
      if (tokens < 1) break;
      tokens -= 1;
      waiting.delete(turn);
      turn.taken();
    }
    if (waiting.size > 0) cancelTimer ??= clock.after(Math.ceil(((1 - tokens) * 1000) / perSecond), serve);
  };
  const enter = (turn: Turn): void => {
    waiting.add(turn);
    // While a timer is set there is nothing to give.
    if (cancelTimer === undefined) serve();
  };
  const leave = (turn: Turn): void => {
    if (!waiting.delete(turn) || waiting.size > 0) return;
    cancelTimer?.();
    cancelTimer = undefined;
  };

  return {
    enter,
    leave,
    turns: new Observable((subscriber) => {
      const turn: Turn = {
        taken: () => {
          subscriber.next();
          subscriber.complete();
        },
      };
      enter(turn);
      return () => leave(turn);
    }),
  };
};
