import type { CancelTimer, Clock } from '../socket/platform.js';

/**
 * A point in time after which work is called once, which may be moved often; it is not set at first.
 *
 * A timer that is due no later than the deadline is kept and looks again when it fires: moving a deadline on costs one
 * look at the clock, not a new timer.
 */
export class Deadline {
  private readonly clock: Clock;
  private readonly work: () => void;
  private dueAt: number | undefined;
  private timerAt = Infinity;
  private cancelTimer: CancelTimer | undefined;

  constructor(clock: Clock, work: () => void) {
    this.clock = clock;
    this.work = work;
  }

  /** Puts it `ms` from now. */
  set(ms: number): void {
    this.dueAt = this.clock.now() + ms;
    if (this.dueAt < this.timerAt) this.arm(this.dueAt, ms);
  }

  /** Takes it away, to be set anew later; a timer may still be pending, and does nothing then. */
  hold(): void {
    this.dueAt = undefined;
  }

  /** Takes it away with its timer. */
  cancel(): void {
    this.dueAt = undefined;
    this.timerAt = Infinity;
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }

  private arm(at: number, ms: number): void {
    this.cancelTimer?.();
    this.timerAt = at;
    this.cancelTimer = this.clock.after(ms, () => this.look());
  }

  private look(): void {
    const due = this.dueAt;
    const leftMs = due === undefined ? 0 : due - this.clock.now();
    if (due !== undefined && leftMs > 0) {
      this.arm(due, leftMs);
      return;
    }
    this.cancel();
    if (due !== undefined) this.work();
  }
}
