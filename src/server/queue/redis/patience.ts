import type { Clock } from '../../../core/platform/platform.js';
import { defer, map, merge, retry, throwError } from 'rxjs';
import { fromAbortSignal } from '../../../core/interop/from-abort-signal.js';
import { isRefusal, wordsOf } from './refusal.js';
import { timerOn } from '../../../core/platform/timer.js';

/** Makes a call, and again where the server refuses to write. */
export type Patience = <A>(call: () => Promise<A>) => Promise<A>;

/** How often a call is made that the server refuses, in milliseconds. */
const againMs = 1_000;

/** The clock of {@link patience}, what ends it, and who is told of refusals. */
export interface PatienceOptions {
  readonly clock: Pick<Clock, 'after'>;
  readonly ended: AbortSignal;
  /** Gets the words of each refusal. */
  readonly refused: (words: string) => void;
}

/** Makes a call once. */
export const noPatience: Patience = (call) => call();

/**
 * Makes a call again each second while the server refuses to write, as it waits for a server that is unreachable; gives up with the refusal when
 * the signal fires.
 *
 * A worker that gave up at once would lose the answer of a service about a job that is paid for.
 */
export const patience =
  ({ clock, ended, refused }: PatienceOptions): Patience =>
  <A>(call: () => Promise<A>): Promise<A> => {
    const delay = (error: unknown) => {
      if (!isRefusal(error)) return throwError(() => error);
      refused(wordsOf(error));
      const giveUp = (): never => {
        throw error;
      };
      return merge(timerOn(clock, againMs), fromAbortSignal(ended).pipe(map(giveUp)));
    };
    return new Promise((resolve, reject) => {
      defer(call).pipe(retry({ delay })).subscribe({ next: resolve, error: reject });
    });
  };
