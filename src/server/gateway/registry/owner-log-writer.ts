import type { Clock } from '../../../core/platform/platform.js';
import type { Observable } from 'rxjs';
import {
  catchError,
  concatMap,
  defer,
  EMPTY,
  filter,
  firstValueFrom,
  from,
  merge,
  retry,
  Subject,
  take,
  tap,
} from 'rxjs';
import { fromAbortSignal } from '../../../core/interop/from-abort-signal.js';
import { timerOn } from '../../../core/platform/timer.js';

/** Puts what concerns the log of one owner in order, so that positions are published in the order of the log. */
export interface OwnerLogWriter {
  /** Does work after all earlier work of the owner, in a later turn; settles as the work does. */
  readonly inOrder: (owner: string, work: () => Promise<void>) => Promise<void>;
  /** Asks the log until it answers, as long as `isWanted`; undefined where it did not by then, or the gateway stops. */
  readonly retryUntilStored: <Answer>(
    isWanted: () => boolean,
    ask: () => Promise<Answer>,
  ) => Promise<Answer | undefined>;
  /** Resolves once all work so far is done. */
  readonly settled: () => Promise<void>;
}

/** How long to wait before an event that could not be stored is stored again. */
const retryDelayMs = 1_000;

/** The work of one owner. */
interface SerialQueue {
  readonly work: Subject<Observable<void>>;
  /** How much of it is not done. */
  waiting: number;
}

/** Makes an {@link OwnerLogWriter}. */
export const ownerLogWriter = (clock: Clock, stopped: AbortSignal): OwnerLogWriter => {
  const queues = new Map<string, SerialQueue>();
  const pending = new Set<Promise<void>>();

  const queueOf = (owner: string): SerialQueue => {
    const known = queues.get(owner);
    if (known !== undefined) return known;
    const queue: SerialQueue = { work: new Subject(), waiting: 0 };
    queue.work.pipe(concatMap((work) => work)).subscribe({ error: () => undefined });
    queues.set(owner, queue);
    return queue;
  };
  const leave = (owner: string, queue: SerialQueue): void => {
    queue.waiting -= 1;
    if (queue.waiting > 0) return;
    queues.delete(owner);
    queue.work.complete();
  };

  return {
    inOrder: (owner, work) => {
      const queue = queueOf(owner);
      queue.waiting += 1;
      const done = new Promise<void>((resolve, reject) => {
        queue.work.next(
          defer(() => from(Promise.resolve().then(work))).pipe(
            tap({ complete: resolve, error: reject, finalize: () => leave(owner, queue) }),
            catchError(() => EMPTY),
          ),
        );
      });
      pending.add(done);
      const forget = (): void => void pending.delete(done);
      done.then(forget, forget);
      return done;
    },
    retryUntilStored: (isWanted, ask) =>
      firstValueFrom(
        defer(() => (isWanted() ? ask() : EMPTY)).pipe(
          retry({
            delay: () =>
              stopped.aborted
                ? EMPTY
                : merge(timerOn(clock, retryDelayMs, { background: true }), fromAbortSignal(stopped)).pipe(
                    take(1),
                    filter(isWanted),
                  ),
          }),
        ),
        { defaultValue: undefined },
      ),
    settled: async () => {
      await Promise.allSettled(pending);
    },
  };
};
