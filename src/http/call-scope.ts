import type { CancelTimer, Clock } from '../platform/platform.js';
import { LateSignal, onAbort } from '../interop/on-abort.js';

/** Who ended a call before its work did. */
export type Ending = 'aborted' | 'closed' | 'timeout';

/** What can end a call from outside. */
export interface ScopeOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** How long a single step may take within that, see `CallScope.patient`; default: as long. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal | undefined;
  readonly closed?: AbortSignal | undefined;
  /** Ends a wait like `signal`, but never a request. */
  readonly withdrawn?: AbortSignal | undefined;
}

/**
 * One call's lifetime, ended by a deadline, the caller or the client; it may have ended already where a signal has fired.
 *
 * Time counts from the beginning, and is looked at from the first `patient` or `restart` on. Its own abort signal is made
 * only for who asks for it: signals, and listening to them, are dear.
 */
export class CallScope {
  private readonly clock: Clock;
  private readonly patienceMs: number;
  private readonly overAt: number;
  private readonly deadline: Deadline;
  private readonly listening: (() => void)[] = [];
  private how: Ending | undefined;
  private limitMs: number | undefined;
  private readonly late = new LateSignal();
  /** Whatever is to know of the end at once. */
  private readonly told: (() => void)[] = [];

  constructor({ clock, timeoutMs, patienceMs = Infinity, signal, closed, withdrawn }: ScopeOptions) {
    this.clock = clock;
    this.patienceMs = patienceMs;
    this.overAt = clock.now() + timeoutMs;
    this.deadline = new Deadline(clock, () => this.end('timeout'));
    this.listen(closed, 'closed');
    this.listen(signal, 'aborted');
    this.listen(withdrawn, 'aborted');
  }

  /** For who can't do with {@link whenEnded}. */
  get signal(): AbortSignal {
    return this.late.signal;
  }

  ending(): Ending | undefined {
    return this.how;
  }

  /** Calls `work` once when the scope ends, never if it has ended already; the result takes that back. */
  whenEnded(work: () => void): () => void {
    this.told.push(work);
    return () => this.forget(work);
  }

  /** Gives the next step `ms`, or the scope's patience, but no more than is left of the whole. */
  patient(ms = this.patienceMs): void {
    const leftMs = this.overAt - this.clock.now();
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
      const forget = this.whenEnded(lose);
      const fail = (cause: Error): void => {
        forget();
        reject(cause);
      };
      if (this.how !== undefined) lose();
      work
        .then((value) => {
          forget();
          if (this.how === undefined) resolve(value);
          else late?.(value);
        })
        .catch(fail);
    });
  }

  /** Sets the deadline anew; cheap enough for every piece of a body, since a timer that is set already serves again. */
  restart(timeoutMs: number): void {
    if (this.how === undefined) this.deadline.set(timeoutMs);
  }

  /** Takes the deadline away. */
  hold(): void {
    this.deadline.hold();
  }

  /** Gives timer and listeners back; call it in every case, more than once does nothing. */
  release(): void {
    this.deadline.cancel();
    for (const stopListening of this.listening) stopListening();
  }

  private listen(signal: AbortSignal | undefined, how: Ending): void {
    if (signal === undefined || this.how !== undefined) return;
    if (signal.aborted) this.end(how);
    else this.listening.push(onAbort(signal, () => this.end(how)));
  }

  private forget(work: () => void): void {
    const at = this.told.indexOf(work);
    if (at >= 0) this.told.splice(at, 1);
  }

  private end(how: Ending): void {
    if (this.how !== undefined) return;
    this.how = how;
    this.release();
    this.late.abort();
    // Whoever is told forgets itself and others meanwhile.
    for (const tell of [...this.told]) tell();
  }
}

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

/**
 * Waits on the platform's clock, or until `over` settles; resolves with what cut the wait short, if anything did.
 */
export const pause = (
  options: ScopeOptions,
  over?: Promise<void>,
): Promise<Exclude<Ending, 'timeout'> | undefined> =>
  new Promise((resolve) => {
    const scope = new CallScope(options);
    const done = (): void => {
      const ending = scope.ending();
      resolve(ending === 'timeout' ? undefined : ending);
    };
    scope.patient();
    if (scope.ending() === undefined) scope.whenEnded(done);
    else done();
    void over?.then(() => {
      scope.release();
      done();
    });
  });
