import { Observable } from 'rxjs';
import type { CancelTimer, Clock } from '../socket/platform.js';

/** Options of {@link requestBudget}. */
export interface BudgetOptions {
  /** Requests that may be made a second; default 5. */
  readonly perSecond?: number;
  /** Requests that may be made at once after a pause; default 10. */
  readonly burst?: number;
}

/**
 * A shared allowance of requests: each subscription waits for its turn, emits once and completes.
 *
 * Turns are given in the order in which they were asked for, so the job that has been silent for longest comes first. An
 * unsubscribed turn is passed on. One budget serves all jobs of a client: after a reconnect, thousands of them are asked
 * for at the pace that a service can bear.
 */
export const requestBudget = (
  clock: Clock,
  { perSecond = 5, burst = 10 }: BudgetOptions = {},
): Observable<void> => {
  const waiting = new Set<() => void>();
  let tokens = burst;
  let countedAt = clock.now();
  let cancelTimer: CancelTimer | undefined;

  const refill = (): void => {
    const now = clock.now();
    tokens = Math.min(burst, tokens + ((now - countedAt) * perSecond) / 1000);
    countedAt = now;
  };
  const serve = (): void => {
    cancelTimer?.();
    cancelTimer = undefined;
    refill();
    for (const give of waiting) {
      if (tokens < 1) break;
      tokens -= 1;
      waiting.delete(give);
      give();
    }
    if (waiting.size > 0) cancelTimer = clock.after(Math.ceil(((1 - tokens) * 1000) / perSecond), serve);
  };

  return new Observable((subscriber) => {
    const give = (): void => {
      subscriber.next();
      subscriber.complete();
    };
    waiting.add(give);
    serve();
    return () => {
      if (!waiting.delete(give) || waiting.size > 0) return;
      cancelTimer?.();
      cancelTimer = undefined;
    };
  });
};
