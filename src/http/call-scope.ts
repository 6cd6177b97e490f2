import { onAbort } from '../interop/on-abort.js';
import type { Clock } from '../socket/platform.js';
import { openDeadline } from './deadline.js';

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

/** One call's lifetime: its own abort signal, driven by a deadline, the caller and the client. */
export interface CallScope {
  readonly signal: AbortSignal;
  readonly ending: () => Ending | undefined;
  /** Gives the next step `ms`, or the scope's patience, but no more than is left of the whole. */
  readonly patient: (ms?: number) => void;
  /** What the last step had, where that was less than what was left of the whole. */
  readonly patience: () => number | undefined;
  /** Settles with the work, or rejects as soon as the scope ends; `late` takes what the work gives after that. */
  readonly race: <A>(work: Promise<A>, late?: (value: A) => void) => Promise<A>;
  /** Sets the deadline anew; cheap enough for every piece of a body, since a timer that is set already serves again. */
  readonly restart: (timeoutMs: number) => void;
  /** Takes the deadline away. */
  readonly hold: () => void;
  /** Gives timer and listeners back; call it in every case, more than once does nothing. */
  readonly release: () => void;
}

/** Opens the lifetime of one call; it may have ended already where a signal has fired. */
export const openScope = (options: ScopeOptions): CallScope => {
  const { clock, timeoutMs, patienceMs = Infinity, signal, closed, withdrawn } = options;
  const overAt = clock.now() + timeoutMs;
  let limitMs: number | undefined;
  const controller = new AbortController();
  let ending: Ending | undefined;
  const racing = new Set<() => void>();

  const end = (how: Ending) => (): void => {
    if (ending !== undefined) return;
    ending = how;
    release();
    controller.abort();
    for (const lose of racing) lose();
  };
  const [abort, close, expire] = [end('aborted'), end('closed'), end('timeout')];
  const deadline = openDeadline(clock, expire);
  const release = (): void => {
    deadline.cancel();
    for (const stopListening of listening) stopListening();
  };
  const restart = (ms: number): void => {
    if (ending === undefined) deadline.set(ms);
  };
  const patient = (ms = patienceMs): void => {
    const leftMs = overAt - clock.now();
    limitMs = ms < leftMs ? ms : undefined;
    restart(Math.min(ms, leftMs));
  };
  const race = <A>(work: Promise<A>, late?: (value: A) => void): Promise<A> =>
    new Promise((resolve, reject) => {
      const lose = (): void => reject(new Error('the call has ended'));
      if (ending === undefined) racing.add(lose);
      else lose();
      work
        .then(
          (value) => (ending === undefined ? resolve(value) : late?.(value)),
          (cause: unknown) => reject(cause as Error),
        )
        .then(() => racing.delete(lose))
        .catch(reject);
    });

  const listening = [onAbort(signal, abort), onAbort(withdrawn, abort), onAbort(closed, close)];
  if (closed?.aborted === true) close();
  else if (signal?.aborted === true || withdrawn?.aborted === true) abort();
  else restart(timeoutMs);

  return {
    signal: controller.signal,
    ending: () => ending,
    patient,
    patience: () => limitMs,
    race,
    restart,
    hold: deadline.hold,
    release,
  };
};
