import { LateSignal } from '../interop/late-signal.js';
import { onAbort } from '../interop/on-abort.js';
import type { Clock } from '../socket/platform.js';
import { Deadline } from './deadline.js';

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
