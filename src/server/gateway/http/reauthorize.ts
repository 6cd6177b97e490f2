import type { Caller } from '../options.js';
import type { Clock } from '../../../core/platform/platform.js';
import { concatMap, first, repeat } from 'rxjs';
import { HttpRefusal } from './refusal.js';
import { timerOn } from '../../../core/platform/timer.js';

/** A stream's right to go on. */
export interface Authorization {
  /** Fires once `authorize` does not name the caller of the stream any more. */
  readonly revoked: AbortSignal;
  /** Asks no more. */
  readonly stop: () => void;
}

/** The caller of an open stream, and how and when the gateway asks again who it is. */
export interface ReauthorizeOptions {
  /** Names the caller of the stream's request, gives another answer, or rejects with the refusal. */
  readonly ask: () => Promise<Caller | Response>;
  readonly caller: Caller;
  readonly everyMs: number;
  readonly clock: Pick<Clock, 'after'>;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Asks again, while a stream is open, who its caller is; where the question fails, the stream goes on until the next one. */
export const reauthorize = ({ ask, caller, everyMs, clock, onError }: ReauthorizeOptions): Authorization => {
  const revocation = new AbortController();
  const isSame = (): Promise<boolean> =>
    ask().then(
      (answer) =>
        !(answer instanceof Response) && answer.name === caller.name && answer.servers === caller.servers,
      (error: unknown) => {
        if (error instanceof HttpRefusal) return false;
        onError?.(error);
        return true;
      },
    );
  const revoked = timerOn(clock, everyMs, { background: true }).pipe(
    concatMap(isSame),
    repeat(),
    first((same) => !same),
  );
  const revoke = (): void => revocation.abort();
  const asking = revoked.subscribe({ next: revoke, error: revoke });
  return { revoked: revocation.signal, stop: () => asking.unsubscribe() };
};
