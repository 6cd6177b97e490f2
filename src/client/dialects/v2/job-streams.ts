import { backoff } from '../../../core/platform/backoff.js';
import {
  concatMap,
  defer,
  EMPTY,
  filter,
  finalize,
  map,
  mergeMap,
  type Observable,
  of,
  retry,
  share,
  takeUntil,
  takeWhile,
  tap,
  throwError,
} from 'rxjs';
import * as E from '../../../core/protocol/either.js';
import { eventStream, StreamEnd } from './event-stream.js';
import type { HistoryRecord } from '../../../core/endpoints/history.js';
import type { HttpResponse, Platform } from '../../../core/platform/platform.js';
import { isEnd, jobMessages, type Message } from './messages.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import { timerOn } from '../../../core/platform/timer.js';

/** Options of the streams of all jobs. */
export interface JobStreamsOptions {
  readonly platform: Pick<Platform, 'clock' | 'random'>;
  /** Asks for the stream of a job. */
  readonly request: (promptId: string, signal: AbortSignal) => Promise<HttpResponse>;
  readonly record: (promptId: string) => Observable<E.Either<ServiceError, HistoryRecord>>;
  /** Asks over REST with which status the service refuses this client, if it does. */
  readonly refusal: () => Promise<number | undefined>;
  /** Largest event in bytes. */
  readonly maxMessageBytes?: number | undefined;
}

/** The jobs whose events are wanted. */
export interface FollowedJobs {
  readonly has: (promptId: string) => boolean;
  /** Those of now, and each that follows. */
  readonly joined: Observable<string>;
  /** Each job that is followed no more. */
  readonly left: Observable<string>;
}

/**
 * So many streams are open at once; the jobs beyond are polled until one ends. A page has six connections to a server that speaks
 * HTTP/1.1, the vendor's proxy allows eight streams, and the largest plan runs five jobs at once.
 */
const maxStreams = 5;
/** A stream that lived for so long did not fail at once. */
const stableAfterMs = 10_000;
/** The least wait after a refusal, even where the service asks for a shorter one. */
const refusedForMs = 5_000;

/**
 * Makes the streams of a client's jobs as one stream of messages, each subscription its own.
 *
 * A stream that is lost while another one is open comes back by backoff, with full jitter; where none is open the whole errors with
 * {@link StreamEnd}, and so it does where REST confirms that the key is refused. After a 429 no stream opens before the time that the
 * service asked for, and at least 5 s. A job without a stream is left to the polls.
 *
 * The streams call `answered` with each first answer, and `tooLarge` where an event was too large.
 */
export const jobStreams = (
  { platform, request, record, refusal, maxMessageBytes }: JobStreamsOptions,
  streamOf: typeof eventStream = eventStream,
) => {
  const { clock } = platform;
  /** No stream is opened before. */
  let notBefore = -Infinity;
  /** One question for all streams that are refused at once. */
  const refused = defer(refusal).pipe(share());

  return (
    jobs: FollowedJobs,
    answered: () => void,
    tooLarge: () => void = () => undefined,
  ): Observable<Message> =>
    defer(() => {
      const active = new Set<string>();
      let open = 0;

      const connected = (promptId: string) => {
        let attempt = 0;
        let since = Infinity;
        const opened = (): void => {
          since = clock.now();
          open += 1;
        };
        const ended = (): void => {
          if (since === Infinity) return;
          if (clock.now() - since >= stableAfterMs) attempt = 0;
          since = Infinity;
          open -= 1;
        };
        const once = defer(() => {
          const stream = streamOf({
            clock,
            request: (signal) => request(promptId, signal),
            answered,
            opened,
            tooLarge,
            maxMessageBytes,
          }).pipe(
            // Before the end is handed on, so that it is not counted as open any more.
            tap({ error: ended, complete: ended, unsubscribe: ended }),
          );
          const waitMs = notBefore - clock.now();
          return waitMs > 0 ? timerOn(clock, waitMs).pipe(mergeMap(() => stream)) : stream;
        });
        const pauseAfter = (end: StreamEnd): Observable<unknown> => {
          const spreadMs = backoff(attempt, platform.random());
          attempt += 1;
          if (end.kind === 'lost') return timerOn(clock, spreadMs);
          const waitMs = Math.max(end.retryAfterMs, refusedForMs) + spreadMs;
          if (end.kind === 'throttled') notBefore = Math.max(notBefore, clock.now() + waitMs);
          return timerOn(clock, waitMs);
        };
        return once.pipe(
          retry({
            delay: (error: unknown) => {
              if (!(error instanceof StreamEnd)) return throwError(() => error);
              if (error.kind === 'lost' && open === 0) return throwError(() => error);
              if (error.kind !== 'refused') return pauseAfter(error);
              return refused.pipe(
                mergeMap((status) =>
                  status === undefined
                    ? pauseAfter(error)
                    : throwError(() => new StreamEnd('refused', { status })),
                ),
              );
            },
          }),
        );
      };

      const follow = (promptId: string): Observable<Message> =>
        defer(() => {
          if (active.has(promptId) || !jobs.has(promptId)) return EMPTY;
          active.add(promptId);
          const messages = jobMessages(promptId);
          return connected(promptId).pipe(
            takeWhile((event) => !isEnd(event), true),
            concatMap((event) =>
              isEnd(event)
                ? record(promptId).pipe(
                    map((answer) => messages.ofEnd(event, E.isRight(answer) ? answer.right : undefined)),
                  )
                : of(messages.of(event)),
            ),
            mergeMap((all) => all),
            takeUntil(jobs.left.pipe(filter((left) => left === promptId))),
            finalize(() => active.delete(promptId)),
          );
        });
      return jobs.joined.pipe(mergeMap(follow, maxStreams));
    });
};
