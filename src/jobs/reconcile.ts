import {
  afterAnswer,
  afterElsewhere,
  type AnswerLimits,
  type AnswerRecord,
  asksElsewhere,
  noMisses,
  verdictOf,
} from './status-answers.js';
import { answerOf, fetchStatus, type StatusAnswer } from './fetch-status.js';
import type { DialectStrategy } from '../dialects/dialect.js';
import * as E from '../protocol/either.js';
import {
  concat,
  concatMap,
  defer,
  EMPTY,
  filter,
  from,
  ignoreElements,
  map,
  mergeMap,
  Observable,
  of,
  take,
  tap,
  throwError,
} from 'rxjs';
import type { JobEvent } from '../state/step-job-state.js';
import type { KnownJobs } from './known-jobs.js';
import type { Platform } from '../platform/platform.js';
import { refusalKind } from '../http/retry.js';
import type { RequestBudget } from './rate-limiter.js';
import type { Rest } from '../http/rest.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';

/** What {@link inquire} needs. */
export interface InquiryNeeds {
  readonly platform: Pick<Platform, 'clock'>;
  readonly dialect: Pick<DialectStrategy, 'jobs' | 'limits'>;
  /** For how long a job that was never sighted may be missing. */
  readonly notFoundAfterMs: number;
  readonly rest: Pick<Rest, 'jobStatus' | 'history' | 'user'>;
  /** Whose turn it is to ask REST about a job: shared by all jobs of the client. */
  readonly budget: RequestBudget;
  /** Jobs that REST knew lately, whoever asked. */
  readonly known: KnownJobs;
}

/** When a job was known, by the monotonic clock; -Infinity for never. An inquiry goes by it and adds to it. */
export interface Sightings {
  readonly promptId: string;
  /** When the latest frame of the job came. */
  readonly heardAt: number;
  /** When REST last answered for the job; its acceptance is such an answer. */
  answeredAt: number;
  /** The later of the two. */
  readonly seenAt: number;
  /** What its polls were answered since a source last told of it. */
  answers: AnswerRecord;
  /** Whether it was waiting when it was last told of. */
  readonly isWaiting: boolean;
  /** Whether the service has taken its cancellation from this client. */
  readonly isCancelled: boolean;
  /** Whether one socket is open since the job was last told of, so that the server was not started anew. */
  readonly isOnSameServer: boolean;
}

/** What an inquiry has found out. */
export interface Finding {
  readonly event: JobEvent;
  /** Nothing is left to be confirmed: the sources were asked, and have no record. */
  readonly isLast?: true;
}

/** The limits that hold for a job. */
export const limitsOf = (
  { dialect, notFoundAfterMs }: Pick<InquiryNeeds, 'dialect' | 'notFoundAfterMs'>,
  { seenAt }: Pick<Sightings, 'seenAt'>,
): AnswerLimits => ({
  isSighted: seenAt !== -Infinity,
  notFoundMs: notFoundAfterMs,
  elsewhereMs: dialect.limits.servesOthersMs,
});

/**
 * Polls a job once and emits what it learns: one finding or none. The caller has waited for a turn of the client's request
 * budget.
 *
 * What neither status nor history knows, though it was sighted before, is `Untraceable` after two misses at least 30 s
 * apart with no frame in between, in the cloud once the service has answered for other things for 2 minutes as well; what was
 * never sighted errors with `NotFound`. A waiting job that is gone from a local server was cancelled: at once where this client
 * did it, else at the second miss, unless the server may have been started anew: where the socket was lost meanwhile, a job that
 * the server knew before and still knows shows that it was not.
 *
 * While the service knows none of the other jobs that it knew, its routes are gone rather than the job. Where nothing is
 * answered that makes sense for 5 minutes it errors with `ProtocolChanged`. It errors as well where the client is closed, and
 * with the refusal of a key or a plan for a job that was never sighted; one that was sighted stays followed until the stop
 * ends. Any other failed request says nothing about the job.
 */
export const inquire = (needs: InquiryNeeds, job: Sightings): Observable<Finding> => {
  const { clock } = needs.platform;
  const { jobs, limits } = needs.dialect;
  const { promptId } = job;

  const cancelled = last({ _tag: 'StatusRead', promptId, phase: 'cancelled' });
  const conclude = (error: ServiceError): Observable<Finding> => {
    if (!jobs.cancelledJobsVanish || !job.isWaiting || !job.answers.isMissing) return decide(error);
    if (job.isCancelled) return of(cancelled);
    if (job.answers.misses < 2) return decide(error);
    if (job.isOnSameServer) return of(cancelled);
    return servesAny(needs, needs.known.witnesses(promptId, job.seenAt)).pipe(
      mergeMap((kind) => (kind === 'told' ? of(cancelled) : decide(error))),
    );
  };
  const decide = (error: ServiceError): Observable<Finding> => {
    switch (verdictOf(job.answers, limitsOf(needs, job))) {
      case 'Untraceable':
        return of(last({ _tag: 'Untraceable', promptId }));
      case 'NotFound':
        return throwError(() => notFound(promptId, error));
      case 'ProtocolChanged':
        return throwError(() => changed(promptId, job.answers, error));
      case undefined:
        return limits.servesOthersMs > 0 && asksElsewhere(job.answers, clock.now())
          ? elsewhere(needs, promptId).pipe(
              tap((kind) => (job.answers = afterElsewhere(job.answers, kind, clock.now()))),
              ignoreElements(),
            )
          : EMPTY;
    }
  };

  return fetchInTurns(needs, promptId).pipe(
    mergeMap((answer) => {
      const now = clock.now();
      const isSighted = job.seenAt !== -Infinity;
      const before = job.heardAt >= job.answers.since ? noMisses : job.answers;
      job.answers = afterAnswer(before, answer.kind, now);
      switch (answer.kind) {
        case 'told':
          job.answeredAt = now;
          return of({ event: answer.event });
        case 'final':
          return isSighted && refusalKind(answer.error) !== undefined
            ? EMPTY
            : throwError(() => answer.error);
        case 'failed':
          return EMPTY;
        default:
          return conclude(answer.error);
      }
    }),
  );
};

/** As {@link fetchStatus}, whose requests after the first wait for turns of their own; unsubscribing gives up the turn. */
const fetchInTurns = (
  { rest, budget, dialect }: Pick<InquiryNeeds, 'rest' | 'budget' | 'dialect'>,
  promptId: string,
): Observable<StatusAnswer> =>
  new Observable((subscriber) => {
    const nextTurn = (): Promise<void> =>
      new Promise((complete, error) => {
        if (!subscriber.closed) subscriber.add(budget.turnsOf('rest').subscribe({ complete, error }));
      });
    const { statusIncludesHistory } = dialect.jobs;
    defer(fetchStatus(rest, promptId, { nextTurn, statusIncludesHistory })).subscribe(subscriber);
  });

/** Whether the service answers for other things: for jobs that it knew, or for the account where it knew no others. */
const elsewhere = (needs: InquiryNeeds, promptId: string): Observable<StatusAnswer['kind']> =>
  defer(() => {
    const others = needs.known.others(promptId);
    return others.length === 0 ? first(needs, [account(needs)]) : servesAny(needs, others);
  });

/** Whether the service still knows one of these jobs, asked for one after the other. */
const servesAny = (needs: InquiryNeeds, promptIds: readonly string[]): Observable<StatusAnswer['kind']> =>
  first(
    needs,
    promptIds.map((id) => fetchInTurns(needs, id).pipe(map(({ kind }) => kind))),
  );

const account = ({ rest }: InquiryNeeds): Observable<StatusAnswer['kind']> =>
  defer(async () => {
    const user = await rest.user()();
    return E.isRight(user) ? 'told' : answerOf(user.left).kind;
  });

/** The first answer in turn that is one; without any, whether one of them failed. */
const first = (
  { budget }: InquiryNeeds,
  asks: readonly Observable<StatusAnswer['kind']>[],
): Observable<StatusAnswer['kind']> =>
  defer(() => {
    let kind: StatusAnswer['kind'] = 'missing';
    const answers = from(asks).pipe(
      concatMap((ask) => budget.turns.pipe(mergeMap(() => ask))),
      tap((answered) => {
        if (answered === 'failed' || answered === 'final') kind = 'failed';
      }),
      filter((answered) => answered === 'told'),
    );
    return concat(
      answers,
      defer(() => of(kind)),
    ).pipe(take(1));
  });

const last = (event: JobEvent): Finding => ({ event, isLast: true });

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
