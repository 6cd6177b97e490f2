import { BehaviorSubject, merge, type Subscription } from 'rxjs';
import type { QueueNotifications } from '../follow/notifications.js';
import type { TokenRunner } from '../engine/run-tokens.js';

/** Whether the runners of a worker rest, so that a queue without jobs costs next to no commands. */
export interface Rest {
  readonly isResting: () => boolean;
  /** How many hints have come: stats of the queue are of the moment at which they were taken. */
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
  const known = new BehaviorSubject({ isResting: false, hints: 0 });
  const setResting = (isResting: boolean): void => {
    if (known.value.isResting === isResting) return;
    known.next({ ...known.value, isResting });
    for (const runner of runners) {
      if (isResting) runner.rest();
      else runner.wake();
    }
  };
  const subscription = merge(notifications.changed, notifications.resumed, notifications.missed).subscribe({
    next: () => {
      known.next({ ...known.value, hints: known.value.hints + 1 });
      setResting(false);
    },
    // Notifications never error.
    error: () => undefined,
  });
  return {
    isResting: () => known.value.isResting,
    hints: () => known.value.hints,
    decide: (isIdle, hintsBefore) => {
      if (!isIdle) setResting(false);
      else if (known.value.hints === hintsBefore) setResting(true);
    },
    subscription,
  };
};
