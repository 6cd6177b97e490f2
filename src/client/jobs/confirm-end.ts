import * as E from '../../core/protocol/either.js';
import {
  concat,
  defer,
  ignoreElements,
  mergeMap,
  NEVER,
  type Observable,
  of,
  race,
  repeat,
  take,
  takeWhile,
  tap,
} from 'rxjs';
import { EndFacts, type EndFactsOptions, type Ending } from './end-facts.js';
import type { JobDetails } from './job-details.js';
import type { JobInput } from '../../core/state/step-job-state.js';
import type { OutputsVerdict } from './outputs-verdict.js';
import type { Platform } from '../../core/platform/platform.js';
import type { RateLimiter, RequestPriority } from './rate-limiter.js';
import type { Rest } from '../../core/http/rest.js';
import { type Asked, maxDetails, nextQuestion } from './next-question.js';
import { timerOn } from '../../core/platform/timer.js';

/** The wait after the first read; each further one is twice as long, up to the longest. */
const firstWaitMs = 250;
const longestWaitMs = 16_000;
/** How long the mark that the record is written may follow an end that the socket told. */
const markWithinMs = 50;

/** What REST offers of a job that has ended, and how the records of this service come to be. */
export interface ConfirmationContext extends Pick<
  EndFactsOptions,
  'recordWithinMs' | 'recordsAppearWhole' | 'recordsHoldMessages'
> {
  readonly platform: Pick<Platform, 'clock'>;
  /** Whether a frame of the socket says that the record is written. */
  readonly marksRecords: boolean;
  readonly rest: Pick<Rest, 'jobStatus' | 'history'>;
  readonly details: JobDetails;
  readonly limiter: Pick<RateLimiter, 'permitsFor'>;
}

/**
 * Turns "it ended" into the job's last event: a jobs API that is known is asked first, and its answer is all where it lists and counts
 * every output. Else history is read, and read again, slower and slower, while its record trails. Where the
 * service says once that the record is written, the first read waits for that, 50 ms at most; one further read is at once.
 *
 * The record has the last word on how the job ended. Where it gives no reason for a failure, and for the number of outputs, the
 * jobs API is asked. Outputs that REST lists are emitted at once. Once the record has trailed for `recordWithinMs`, the job
 * ends as the first report said, with the outputs that are known, and `outputsComplete` stays false; so it does at once where the
 * record exceeds a bound of the client, and a warning says so. The record of a job that
 * did not complete is awaited briefly, unless the reason is still missing. Each request waits for a permit of the rate limiter.
 */
export const confirmEnd = (context: ConfirmationContext, job: Ending): Observable<JobInput> => {
  const { rest, details, limiter, platform } = context;
  const { clock } = platform;
  const { promptId } = job;
  const asked: Asked = { reads: 0, details: 0, detailAt: 0, statusAt: 0 };

  const facts = new EndFacts(job, { ...context, clock });

  const paced = <A>(
    priority: RequestPriority,
    ask: () => Promise<A>,
    take: (answer: A) => void,
  ): Observable<never> =>
    limiter.permitsFor(priority).pipe(
      mergeMap(() => ask().then(take)),
      ignoreElements(),
    );
  const readHistory = (): Observable<never> =>
    paced(
      'record',
      () => {
        facts.begin();
        return rest.history(promptId, { workflow: false })();
      },
      (answer) => {
        // A service of the other dialect never has this record.
        if (E.isLeft(answer) && answer.left._tag === 'InvalidConfig') throw answer.left;
        asked.reads += 1;
        facts.takeRecord(answer);
      },
    );
  const askDetail = (): Observable<never> => {
    asked.details += 1;
    asked.detailAt = asked.reads;
    return paced(
      'detail',
      () => details.ask(promptId, { isKnown: !facts.isRecordMissing }),
      (answer) => {
        if (typeof answer === 'object') facts.takeDetail(answer);
      },
    );
  };
  const askStatus = (): Observable<never> => {
    asked.statusAt = asked.reads;
    return paced(
      'detail',
      () => rest.jobStatus(promptId)(),
      (answer) => facts.takeStatus(answer),
    );
  };
  /** Engines send the mark once they have written the record, some 10 ms after the end: it cuts one wait short. */
  let isMarked = false;
  const atMark = (): Observable<unknown> =>
    isMarked || job.runIsOver === undefined
      ? NEVER
      : job.runIsOver.pipe(
          tap(() => {
            isMarked = true;
          }),
        );
  const isToldBySocket = context.marksRecords && job.ends[0].source === 'socket';
  let hasRead = false;
  const firstRead = (): Observable<never> => {
    hasRead = true;
    return isToldBySocket && job.runIsOver !== undefined
      ? race(timerOn(clock, markWithinMs), job.runIsOver).pipe(take(1), mergeMap(readHistory))
      : readHistory();
  };
  /** A jobs API that is known counts and lists the outputs in one answer, after which there may be nothing to read. */
  const asksDetailFirst = job.detail === undefined && details.isKnown() && !context.recordsAppearWhole;
  const step = (): Observable<JobInput> => {
    if (asksDetailFirst && asked.details === 0) return askDetail();
    if (!hasRead && facts.detail === undefined) return firstRead();
    const { verdict } = facts;
    return hasRead || verdict === 'whole' ? next(verdict) : firstRead();
  };
  /** After an answer: the last event, another question, or another read later. */
  const next = (verdict: OutputsVerdict): Observable<JobInput> => {
    const isCounted = verdict === 'uncounted' && (!details.isThere() || asked.details >= maxDetails);
    if (verdict === 'whole' || isCounted) return of(confirmed(facts));
    const { leftMs } = facts;
    const isLast = verdict === 'short' || leftMs <= 0;
    const { recordsAppearWhole } = context;
    const question = nextQuestion(facts, asked, {
      ...{ recordsAppearWhole, detailsAreThere: details.isThere(), isDue: isLast || facts.isDue },
    });
    if (question !== undefined) return question === 'detail' ? askDetail() : askStatus();
    if (isLast && verdict === 'uncounted') return of(confirmed(facts));
    const listed: JobInput = { _tag: 'HistoryRead', promptId, outputs: facts.listed };
    if (isLast) return of(listed, unconfirmed(facts));
    const wait = Math.min(
      longestWaitMs,
      firstWaitMs * 2 ** (asked.reads - 1),
      facts.isExcused ? Infinity : leftMs,
      facts.steadyInMs,
    );
    return concat(of(listed), race(timerOn(clock, wait), atMark()).pipe(take(1), mergeMap(readHistory)));
  };
  return defer(step).pipe(
    repeat(),
    takeWhile((event) => !saysHowItEnded(event), true),
  );
};

/** Of the events that are emitted here only the last one has a phase. */
const saysHowItEnded = (event: JobInput): boolean => 'phase' in event;

/** The end as REST reports it, with all outputs. */
const confirmed = ({ end: { promptId, phase, failure }, listed, record, detail }: EndFacts): JobInput => ({
  _tag: 'HistoryRead',
  promptId,
  outputs: listed,
  phase,
  failure,
  isFinal: true,
  startedAt: (record ?? detail)?.startedAt,
  endedAt: (record ?? detail)?.endedAt,
});

/** The end as it was reported, where its record stayed away or is short of something. */
const unconfirmed = ({ end: { promptId, phase, failure }, aboveBound }: EndFacts): JobInput => ({
  _tag: 'StatusRead',
  promptId,
  phase,
  failure,
  ...(aboveBound !== undefined && { warning: `The record of the job is not read. ${aboveBound.message}` }),
});
