import {
  afterAnswer,
  afterElsewhere,
  type AnswerLimits,
  type AnswerRecord,
  asksElsewhere,
  noMisses,
  verdictOf,
} from './status-answers.js';
import { answerOf, fetchStatus, type StatusAnswer, statusFound } from './fetch-status.js';
import type { DialectStrategy } from '../dialects/dialect.js';
import * as E from '../../core/protocol/either.js';
import {
  concat,
  concatMap,
  defer,
  EMPTY,
  filter,
  finalize,
  firstValueFrom,
  from,
  ignoreElements,
  map,
  mergeMap,
  type Observable,
  of,
  take,
  takeUntil,
  tap,
  throwError,
} from 'rxjs';
import { fromAbortSignal } from '../../core/interop/from-abort-signal.js';
import type { JobDetail } from '../../core/endpoints/job-detail.js';
import type { JobDetails } from './job-details.js';
import type { JobInput } from '../../core/state/step-job-state.js';
import type { KnownJobs } from './known-jobs.js';
import type { Platform } from '../../core/platform/platform.js';
import { refusalKind } from '../../core/http/retry.js';
import type { RateLimiter } from './rate-limiter.js';
import type { Rest } from '../../core/http/rest.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { timerOn } from '../../core/platform/timer.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { serviceError } from '../../core/errors/service-error.js';
import { statusOf } from '../../core/http/status-by-jobs-api.js';

/** The service that is asked for a job, and for how long it may not know it. */
export interface ReconcileContext {
  readonly platform: Pick<Platform, 'clock'>;
  readonly dialect: Pick<DialectStrategy, 'jobs' | 'limits'>;
  /** For how long a job that no source has reported may be missing. */
  readonly notFoundAfterMs: number;
  readonly rest: Pick<Rest, 'jobStatus' | 'history'>;
  readonly details: JobDetails;
  /** Asks for something else than a job, which a service that is there answers. */
  readonly serves: TaskEither<ServiceError, unknown>;
  /** Shared by all jobs of the client. */
  readonly limiter: RateLimiter;
  /** Jobs that REST knew lately. */
  readonly known: KnownJobs;
}

/** When the sources last reported a job, by the monotonic clock; -Infinity for never. `reconcile` reads and updates it. */
export interface LastSeen {
  readonly promptId: string;
  /** When the latest frame of the job came. */
  readonly lastFrameAt: number;
  /** When REST last answered for the job; its acceptance is such an answer. */
  answeredAt: number;
  /** The later of the two. */
  readonly seenAt: number;
  /** What its polls were answered since a source last reported it. */
  answers: AnswerRecord;
  /** Whether it was waiting when it was last reported. */
  readonly isWaiting: boolean;
  /** Whether it waits, and REST may tell its place in the queue; default false. */
  readonly seeksPlace?: boolean;
  /** Whether that place is all that is asked for, so that an answer is worth no further request; default false. */
  readonly looksOnly?: boolean;
  /** Whether the service has taken its cancellation from this client. */
  readonly isCancelled: boolean;
  /** Whether one socket is open since the job was last reported, so that the server did not restart. */
  readonly isOnSameServer: boolean;
}

/** What one poll found out. */
export interface Finding {
  readonly event: JobInput;
  /** The job in the jobs API, where it was found there. */
  readonly detail?: JobDetail | undefined;
  /** Nothing is left to be confirmed: the sources were asked, and have no record. */
  readonly isLast?: true;
}

/** A record of a local server trails the end of its job by some 10 ms; on a busy machine by more. */
const recordTrailsMs = 250;

/** The limits that hold for a job. */
export const limitsOf = (
  { dialect, notFoundAfterMs }: Pick<ReconcileContext, 'dialect' | 'notFoundAfterMs'>,
  { seenAt }: Pick<LastSeen, 'seenAt'>,
): AnswerLimits => ({
  wasSeen: seenAt !== -Infinity,
  notFoundMs: notFoundAfterMs,
  elsewhereMs: dialect.limits.servesOthersMs,
});

/**
 * Polls a job once and emits what it learns: one finding or none. The caller holds a permit of the rate limiter for the first
 * request.
 *
 * A job that some source reported and that neither status nor history knows is `Untraceable` after two misses at least 30 s
 * apart with no frame in between, in the cloud once the service has also answered for other things for 2 minutes. A job that
 * no source ever reported errors with `NotFound`. A waiting job that vanishes from a local server was cancelled: where this client did
 * it, at a second look 250 ms later, else at the second miss, unless the server may have restarted. Where the socket was lost meanwhile, a
 * job that the server knew before and still knows shows that it did not.
 *
 * While the service knows none of the other jobs that it knew, its routes are gone rather than the job. After 5 minutes
 * without a sensible answer it errors with `ProtocolChanged`. It errors as well where the client is closed, and with the
 * refusal of a key or a plan for a job that no source reported; any other job stays followed until the stop ends. Any other
 * failed request says nothing about the job.
 */
export const reconcile = (context: ReconcileContext, job: LastSeen): Observable<Finding> => {
  const { clock } = context.platform;
  const { jobs, limits } = context.dialect;
  const { promptId } = job;

  const cancelled = lastFinding({ _tag: 'StatusRead', promptId, phase: 'cancelled' });
  /** A job that ended as its deletion came is for a moment in neither list. */
  const lookAgain = timerOn(clock, recordTrailsMs).pipe(
    mergeMap(() => context.limiter.permitsFor('status')),
    mergeMap(() => fetchPaced(context, promptId)),
    mergeMap((again): Observable<Finding> => {
      if (again.kind === 'missing') return of(cancelled);
      return again.kind === 'found' ? of({ event: again.event, detail: again.detail }) : EMPTY;
    }),
  );
  const conclude = (error: ServiceError): Observable<Finding> => {
    if (!jobs.cancelledJobsVanish || !job.isWaiting || !job.answers.isMissing) return decide(error);
    if (job.isCancelled) return lookAgain;
    if (job.answers.misses < 2) return decide(error);
    if (job.isOnSameServer) return of(cancelled);
    return servesAny(context, context.known.witnesses(promptId, job.seenAt)).pipe(
      mergeMap((kind) => (kind === 'found' ? of(cancelled) : decide(error))),
    );
  };
  const decide = (error: ServiceError): Observable<Finding> => {
    switch (verdictOf(job.answers, limitsOf(context, job))) {
      case 'Untraceable':
        return of(lastFinding({ _tag: 'Untraceable', promptId }));
      case 'NotFound':
        return throwError(() => notFound(promptId, error));
      case 'ProtocolChanged':
        return throwError(() => changed(promptId, job.answers, error));
      case undefined:
        return limits.servesOthersMs > 0 && asksElsewhere(job.answers, clock.now())
          ? servesOthers(context, promptId).pipe(
              tap((kind) => (job.answers = afterElsewhere(job.answers, kind, clock.now()))),
              ignoreElements(),
            )
          : EMPTY;
    }
  };

  const asked =
    job.looksOnly === true ? askPlace(context, job) : fetchPaced(context, promptId, job.seeksPlace);
  return asked.pipe(
    mergeMap((answer) => {
      const now = clock.now();
      const wasSeen = job.seenAt !== -Infinity;
      const before = job.lastFrameAt >= job.answers.since ? noMisses : job.answers;
      job.answers = afterAnswer(before, answer.kind, now);
      switch (answer.kind) {
        case 'found':
          job.answeredAt = now;
          return of({ event: answer.event, detail: answer.detail });
        case 'final':
          return wasSeen && refusalKind(answer.error) !== undefined ? EMPTY : throwError(() => answer.error);
        case 'failed':
          return EMPTY;
        default:
          return conclude(answer.error);
      }
    }),
  );
};

/** As {@link fetchStatus}, whose requests after the first wait for permits of their own; unsubscribing gives the permit up. */
const fetchPaced = (
  { rest, limiter, dialect }: Pick<ReconcileContext, 'rest' | 'limiter' | 'dialect'>,
  promptId: string,
  seeksPlace = false,
): Observable<StatusAnswer> =>
  defer(() => {
    const left = new AbortController();
    const nextPermit = (): Promise<void> =>
      // eslint-disable-next-line rxjs-x/no-ignored-default-value -- it rejects without a permit, so that no request follows
      firstValueFrom(limiter.permitsFor('detail').pipe(takeUntil(fromAbortSignal(left.signal))));
    const { statusIncludesHistory } = dialect.jobs;
    const status = fetchStatus(rest, promptId, { nextPermit, statusIncludesHistory, seeksPlace });
    return from(status()).pipe(finalize(() => left.abort()));
  });

/**
 * Asks the jobs API alone, which tells places in the queue; emits nothing where it does not know the job. It is the question that
 * the end of a first job asks in any case, to find out whether there is a jobs API.
 */
const askPlace = (
  { details }: Pick<ReconcileContext, 'details'>,
  { promptId, seenAt }: Pick<LastSeen, 'promptId' | 'seenAt'>,
): Observable<StatusAnswer> =>
  defer(() => details.ask(promptId, { isKnown: seenAt !== -Infinity })).pipe(
    mergeMap((detail) => (typeof detail === 'object' ? of(statusFound(statusOf(detail))) : EMPTY)),
  );

/** Whether the service answers for other things: for jobs that it knew, or for what `serves` asks where it knew no others. */
const servesOthers = (context: ReconcileContext, promptId: string): Observable<StatusAnswer['kind']> =>
  defer(() => {
    const others = context.known.others(promptId);
    return others.length === 0 ? firstAnswer(context, [answersAtAll(context)]) : servesAny(context, others);
  });

/** Whether the service still knows one of these jobs, asked for one after the other. */
const servesAny = (
  context: ReconcileContext,
  promptIds: readonly string[],
): Observable<StatusAnswer['kind']> =>
  firstAnswer(
    context,
    promptIds.map((id) => fetchPaced(context, id).pipe(map(({ kind }) => kind))),
  );

const answersAtAll = ({ serves }: ReconcileContext): Observable<StatusAnswer['kind']> =>
  defer(async () => {
    const answer = await serves();
    return E.isRight(answer) ? 'found' : answerOf(answer.left).kind;
  });

/** The first answer of these that knows the job; without any, whether one of them failed. */
const firstAnswer = (
  { limiter }: ReconcileContext,
  asks: readonly Observable<StatusAnswer['kind']>[],
): Observable<StatusAnswer['kind']> =>
  defer(() => {
    let kind: StatusAnswer['kind'] = 'missing';
    const answers = from(asks).pipe(
      concatMap((ask) => limiter.permitsFor('status').pipe(mergeMap(() => ask))),
      tap((answered) => {
        if (answered === 'failed' || answered === 'final') kind = 'failed';
      }),
      filter((answered) => answered === 'found'),
    );
    return concat(
      answers,
      defer(() => of(kind)),
    ).pipe(take(1));
  });

const lastFinding = (event: JobInput): Finding => ({ event, isLast: true });

/** The last answer's hint says more than the default one where the client's own options explain the answer. */
const notFound = (promptId: string, { hint }: ServiceError): ServiceError =>
  serviceError('NotFound', { promptId, hint, message: `The service knows no job ${promptId}.` });

const changed = (
  promptId: string,
  { isRouteGone }: AnswerRecord,
  { _tag, hint }: ServiceError,
): ServiceError =>
  serviceError('ProtocolChanged', {
    promptId,
    hint: _tag === 'ProtocolChanged' ? hint : undefined,
    message: isRouteGone
      ? 'The service knows none of the jobs that it knew: its routes for status and history are gone.'
      : 'For 5 minutes the service has answered nothing about the job that the interface has.',
  });
