import type { CancelTimer, Clock } from '../socket/platform.js';

/** A point in time after which work is called once, which may be moved often. */
export interface Deadline {
  /** Puts it `ms` from now. */
  readonly set: (ms: number) => void;
  /** Takes it away, to be set anew later; a timer may still be pending, and does nothing then. */
  readonly hold: () => void;
  /** Takes it away with its timer. */
  readonly cancel: () => void;
}

/**
 * Makes a {@link Deadline} that is not set.
 *
 * A timer that is due no later than the deadline is kept and looks again when it fires: moving a deadline on costs one
 * look at the clock, not a new timer.
 */
export const openDeadline = (clock: Clock, work: () => void): Deadline => {
  let dueAt: number | undefined;
  let timerAt = Infinity;
  let cancelTimer: CancelTimer | undefined;

  const cancel = (): void => {
    dueAt = undefined;
    timerAt = Infinity;
    cancelTimer?.();
    cancelTimer = undefined;
  };
  const arm = (at: number, ms: number): void => {
    cancelTimer?.();
    timerAt = at;
    cancelTimer = clock.after(ms, look);
  };
  const look = (): void => {
    const due = dueAt;
    const leftMs = due === undefined ? 0 : due - clock.now();
    if (due !== undefined && leftMs > 0) {
      arm(due, leftMs);
      return;
    }
    cancel();
    if (due !== undefined) work();
  };

  return {
    set: (ms) => {
      dueAt = clock.now() + ms;
      if (dueAt < timerAt) arm(dueAt, ms);
    },
    hold: () => {
      dueAt = undefined;
    },
    cancel,
  };
};
