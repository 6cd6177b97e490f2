import { merge, type Subscription } from 'rxjs';
import type { QueueNotifications } from '../follow/notifications.js';
import type { TokenRunner } from '../engine/run-tokens.js';

/** Whether the runners of a worker rest, so that a queue without jobs costs next to no commands. */
export interface Rest {
  readonly isResting: () => boolean;
  /** How many hints have come: a look at the queue is of the moment at which it was taken. */
  readonly hints: () => number;
  /** Lets the runners rest where the queue has nothing to do and no hint came since; wakes them where it has. */
  readonly decide: (isIdle: boolean, hintsBefore: number) => void;
  /** Ends the listening. */
  readonly subscription: Subscription;
}

/** Lets runners rest while the queue has no job that waits or runs; each hint that one has changed wakes them. */
export const restWhileIdle = (
  notifications: Pick<QueueNotifications, 'changed' | 'resumed' | 'missed'>,
  runners: readonly TokenRunner[],
): Rest => {
  let hints = 0;
  let isResting = false;
  const wake = (): void => {
    if (!isResting) return;
    isResting = false;
    for (const runner of runners) runner.wake();
  };
  const subscription = merge(notifications.changed, notifications.resumed, notifications.missed).subscribe({
    next: () => {
      hints += 1;
      wake();
    },
    // News never error.
    error: () => undefined,
  });
  return {
    isResting: () => isResting,
    hints: () => hints,
    decide: (isIdle, hintsBefore) => {
      if (!isIdle) wake();
      else if (!isResting && hints === hintsBefore) {
        isResting = true;
        for (const runner of runners) runner.rest();
      }
    },
    subscription,
  };
};
