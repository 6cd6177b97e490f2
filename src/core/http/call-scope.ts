import type { CancelTimer, Clock } from '../platform/platform.js';
import { onAbort } from '../interop/on-abort.js';

/** What ended a call before its work did. */
export type Ending = 'aborted' | 'closed' | 'timeout';

/** What can end a call from outside. */
export interface ScopeOptions {
  readonly clock: Clock;
  /** How long the whole may take while less than 1 KiB/s moves, see `CallScope.moved`. */
  readonly timeoutMs: number;
  /** How long a single step may take within that, see `CallScope.patient`; default: as long. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal | undefined;
  readonly closed?: AbortSignal | undefined;
}

/** A transfer that is slower than this, in bytes a millisecond, counts as silence. */
const minPace = 1024 / 1000;

/**
 * One call's lifetime, which a deadline, the caller or the client ends; a signal that fired before ends it at once.
 *
 * The whole time counts from the constructor on, and anew whenever enough has moved; its timer is set by the first `patient` or
 * `restart`.
 */
export class CallScope {
  private readonly clock: Clock;
  private readonly patienceMs: number;
  private readonly timeoutMs: number;
  private overAt: number;
  /** Bytes that moved since the whole time began to count. */
  private movedBytes = 0;
  /** See `extend`. */
  private moreMs = 0;
  private readonly controller = new AbortController();
  private readonly listening: (() => void)[] = [];
  /** What ends with the scope, see `race`. */
  private readonly racing = new Set<() => void>();
  private how: Ending | undefined;
  private limitMs: number | undefined;
  /** When the deadline passes, and when the timer looks at it, which may be earlier. */
  private dueAt = Infinity;
  private looksAt = Infinity;
  private cancelTimer: CancelTimer | undefined;

  constructor({ clock, timeoutMs, patienceMs = Infinity, signal, closed }: ScopeOptions) {
    this.clock = clock;
    this.patienceMs = patienceMs;
    this.timeoutMs = timeoutMs;
    this.overAt = clock.now() + timeoutMs;
    this.listen(closed, 'closed');
    this.listen(signal, 'aborted');
  }

  /** Fires when the scope ends, for every reason. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  ending(): Ending | undefined {
    return this.how;
  }

  /** How much is left of the whole time. */
  leftMs(): number {
    return this.overAt - this.clock.now();
  }

  /** Counts bytes that moved: a limit is over silence, so the whole time begins anew with each stretch of at least 1 KiB/s. */
  moved(bytes: number): void {
    this.moreMs = 0;
    this.movedBytes += bytes;
    if (this.movedBytes < this.timeoutMs * minPace) return;
    this.movedBytes = 0;
    this.overAt = this.clock.now() + this.timeoutMs;
  }

  /** Gives the whole and each step that follows so many milliseconds more, until something moves. */
  extend(moreMs: number): void {
    this.overAt += moreMs;
    this.moreMs = moreMs;
  }

  /** Gives the next step `ms`, or the scope's patience, but no more than is left of the whole. */
  patient(ms = this.patienceMs + this.moreMs): void {
    const leftMs = this.leftMs();
    this.limitMs = ms < leftMs ? ms : undefined;
    this.restart(Math.min(ms, leftMs));
  }

  /** What the last step had, where that was less than what was left of the whole. */
  patience(): number | undefined {
    return this.limitMs;
  }

  /** Settles with the work, or rejects as soon as the scope ends; `late` takes what the work gives after that. */
  race<A>(work: Promise<A>, late?: (value: A) => void): Promise<A> {
    return new Promise((resolve, reject) => {
      const lose = (): void => reject(new Error('the call has ended'));
      if (this.how === undefined) this.racing.add(lose);
      else lose();
      const fail = (error: Error): void => {
        this.racing.delete(lose);
        reject(error);
      };
      work.then((value) => {
        this.racing.delete(lose);
        if (this.how === undefined) resolve(value);
        else late?.(value);
      }, fail);
    });
  }

  /** Sets the deadline anew. A timer that is set already, and looks at it before it passes, stays. */
  restart(timeoutMs: number): void {
    if (this.how !== undefined) return;
    this.dueAt = this.clock.now() + timeoutMs;
    if (this.looksAt <= this.dueAt) return;
    this.cancelTimer?.();
    this.look(timeoutMs);
  }

  /** Takes the deadline away. */
  hold(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    this.looksAt = Infinity;
  }

  /** Gives timer and listeners back; call it in every case, more than once does nothing. */
  release(): void {
    this.hold();
    for (const stopListening of this.listening) stopListening();
  }

  private listen(signal: AbortSignal | undefined, how: Ending): void {
    if (signal === undefined || this.how !== undefined) return;
    if (signal.aborted) this.end(how);
    else this.listening.push(onAbort(signal, () => this.end(how)));
  }

  private look(afterMs: number): void {
    this.looksAt = this.clock.now() + afterMs;
    this.cancelTimer = this.clock.after(afterMs, () => {
      this.looksAt = Infinity;
      // Timers may fire a fraction of a millisecond early.
      const leftMs = this.dueAt - this.clock.now();
      if (leftMs < 1) this.end('timeout');
      else this.look(leftMs);
    });
  }

  private end(how: Ending): void {
    if (this.how !== undefined) return;
    this.how = how;
    this.release();
    this.controller.abort();
    for (const lose of this.racing) lose();
  }
}
