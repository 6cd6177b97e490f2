import { backoff } from '../../../core/platform/backoff.js';
import {
  concat,
  concatMap,
  defer,
  EMPTY,
  expand,
  finalize,
  from,
  ignoreElements,
  lastValueFrom,
  mergeMap,
  type Observable,
  of,
  repeat,
  retry,
  Subject,
  takeUntil,
} from 'rxjs';
import { targetOf } from './job-webhook.js';
import type { DeliveryContext } from './delivery-context.js';
import type { DeliveryProgress } from './delivery-progress.js';
import { fromAbortSignal } from '../../../core/interop/from-abort-signal.js';
import { nextMessage } from './next-message.js';
import type { OutgoingMessage } from './webhook-message.js';
import { sendMessage } from './send-message.js';
import { timerOn } from '../../../core/platform/timer.js';
import type { WebhookRecord } from '../ports/webhook-store.js';
import type { TryResult } from './webhook-sender.js';

/** The deliveries of one webhook. */
export interface Delivery {
  /** Something of this job may be new. */
  readonly wake: (jobId: string) => void;
  /** The job is forgotten; a message of it that has not arrived parks the webhook. */
  readonly forget: (jobId: string) => void;
  /** Why the next message of some job has not arrived yet. */
  readonly lastFailure: () => string | undefined;
  /** Ends what is under way, and resolves once nothing is. */
  readonly stop: () => Promise<void>;
}

/** How long a message may stay undelivered before its webhook is parked, in milliseconds. */
const parkAfterMs = 24 * 60 * 60 * 1000;
/** The longest wait that a target may ask for, in milliseconds. */
const longestAskedWaitMs = 60 * 60 * 1000;
/** How long to wait before a log is read again that did not answer. */
const rereadAfterMs = 1_000;

/**
 * Sends what the log has of each job of an owner, in the order of the log, each message until it arrives.
 *
 * `park` is called once where the target is gone or was out of reach for a day; everything has stopped by then.
 */
export const deliver = (
  context: DeliveryContext,
  record: WebhookRecord,
  progress: DeliveryProgress,
  park: (reason: string) => void,
): Delivery => {
  const { clock } = context;
  const stopped = new AbortController();
  const target = targetOf(record);
  const failures = new Map<string, string>();
  /** The jobs whose messages are being sent; `isStale` if one may have more by now. */
  const busy = new Map<string, { isStale: boolean }>();

  /** Emits after the pause; completes without a value once all is to stop. */
  const pause = (ms: number): Observable<void> =>
    timerOn(clock, ms, { background: true }).pipe(takeUntil(fromAbortSignal(stopped.signal)));
  const stopAndPark = (reason: string): void => {
    if (stopped.signal.aborted) return;
    stopped.abort();
    park(reason);
  };
  /** Sends a message once; rejects where it has to be sent again. */
  const attempt = async (jobId: string, message: OutgoingMessage): Promise<void> => {
    const result = await context.targets.run(target, () =>
      context.slots.run(() => sendMessage(context, record, message, stopped.signal)),
    );
    if (result._tag === 'stopped') return;
    if (!('reason' in result)) {
      failures.delete(jobId);
      await progress.advance(jobId, message.position);
      return;
    }
    failures.set(jobId, result.reason);
    const failingSince = await progress.failed(jobId, clock.wall());
    if (result._tag === 'failed' && clock.wall() - failingSince < parkAfterMs) throw new NotArrived(result);
    stopAndPark(result.reason);
  };
  const untilArrived = (jobId: string, message: OutgoingMessage): Observable<never> =>
    defer(() => attempt(jobId, message)).pipe(
      retry({
        delay: (error, count) =>
          pause(Math.max(askedWaitMs(error), backoff(count - 1, context.random(), context.backoff))),
      }),
      ignoreElements(),
    );
  /** Emits the next message of a job, or completes where the log has no further one yet. */
  const next = (jobId: string): Observable<OutgoingMessage> =>
    defer(async () => {
      const job = stopped.signal.aborted ? undefined : context.job(jobId);
      return job && nextMessage(context.log, job, record, progress.position(jobId));
    }).pipe(
      retry({ delay: () => pause(rereadAfterMs) }),
      concatMap((found) => {
        if (found?._tag === 'message') return of(found.message);
        if (found?.position === undefined) return EMPTY;
        return from(progress.advance(jobId, found.position)).pipe(ignoreElements());
      }),
    );
  const allOf = (jobId: string): Observable<OutgoingMessage> =>
    next(jobId).pipe(expand((message) => concat(untilArrived(jobId, message), next(jobId))));

  const woken = new Subject<string>();
  const allSent = woken.pipe(
    mergeMap((jobId) => {
      const job = { isStale: false };
      busy.set(jobId, job);
      return defer(() => {
        job.isStale = false;
        return allOf(jobId);
      }).pipe(
        repeat({ delay: () => (job.isStale && !stopped.signal.aborted ? of(undefined) : EMPTY) }),
        finalize(() => busy.delete(jobId)),
      );
    }),
  );
  const done = lastValueFrom(allSent, { defaultValue: undefined });

  return {
    wake: (jobId) => {
      const job = busy.get(jobId);
      if (job !== undefined) job.isStale = true;
      else woken.next(jobId);
    },
    forget: (jobId) => {
      // Its messages are gone with it: to go on in silence would hide that.
      const reason = failures.get(jobId);
      if (reason !== undefined) stopAndPark(reason);
      failures.delete(jobId);
    },
    lastFailure: () => [...failures.values()].at(-1),
    stop: async () => {
      stopped.abort();
      woken.complete();
      await done;
    },
  };
};

/** A message did not arrive and has to be sent again; says why. */
class NotArrived extends Error {
  readonly retryAfterMs: number | undefined;

  constructor({ reason, retryAfterMs }: Extract<TryResult, { readonly _tag: 'gone' | 'failed' }>) {
    super(reason);
    this.retryAfterMs = retryAfterMs;
  }
}

const askedWaitMs = (error: unknown): number =>
  Math.min(longestAskedWaitMs, (error instanceof NotArrived ? error.retryAfterMs : undefined) ?? 0);
