import { answerOf, isAboveBound, type StatusAnswer } from './fetch-status.js';
import type { Clock } from '../../core/platform/platform.js';
import { concludeEnd, isBare, type JobEnd } from './job-end.js';
import * as E from '../../core/protocol/either.js';
import { elementCount, fileCount, unlistedOutputs } from '../../core/state/unlisted-outputs.js';
import type { HistoryRecord, JobDetail, JobStatus } from '../../core/http/rest.js';
import {
  isCounted,
  listedOutputs,
  type OutputsVerdict,
  outputsVerdict,
  steadyAfterMs,
} from './outputs-verdict.js';
import type { Observable } from 'rxjs';
import { noOutputs, type Outputs } from '../../core/state/outputs.js';
import { RecordWait } from './record-wait.js';
import type { ServiceError } from '../../core/errors/errors.js';

/** How long the record of a job that did not complete is awaited where nothing depends on it. */
const briefMs = 750;
/** While history can't be reached its record does not trail: so much of that time does not count. */
const maxLostMs = 600_000;
const maxLostOfUnfinishedMs = 60_000;
/** A job that REST does not know has no route for a while, or is gone: at most this much of that time is excused. */
const maxUnknownMs = 90_000;

/** A job that has ended as far as it is known. */
export interface Ending {
  readonly promptId: string;
  /** Every end that was reported so far; more may come while the record is awaited. */
  readonly ends: readonly [JobEnd, ...JobEnd[]];
  /** The outputs that were reported so far. */
  readonly outputs: Outputs;
  /** The job in the jobs API, where its end was found there. */
  readonly detail?: JobDetail | undefined;
  /** Whether one socket brought all events of the job, from its start to its end. */
  readonly gapless: boolean;
  /** Whether it is known to have begun. */
  readonly hasBegun: boolean;
  /** Emits, also to a late subscriber, once a frame after the end said that none of its nodes runs, or the socket is gone that would. */
  readonly runIsOver?: Observable<unknown> | undefined;
}

/** Options of {@link EndFacts}. */
export interface EndFactsOptions {
  readonly clock: Clock;
  /** How long the record of a job that ended may trail. */
  readonly recordWithinMs: number;
  /** Whether records of this service appear whole, at the end only. */
  readonly recordsAppearWhole: boolean;
  /** Whether they hold the messages of the run. */
  readonly recordsHoldMessages: boolean;
}

/** What an answer says of a job: `known`, or why it says nothing. */
type AnswerKind = 'known' | Exclude<StatusAnswer['kind'], 'found'>;

/** What REST has reported of a job that has ended, and what follows from it. */
export class EndFacts {
  record: HistoryRecord | undefined;
  detail: JobDetail | undefined;
  /** Why the record will never be read: it exceeds a bound of the client. */
  aboveBound: ServiceError | undefined;
  /** What REST lists of its outputs. */
  listed: Outputs = noOutputs;
  private status: JobStatus | undefined;
  private readonly job: Ending;
  private readonly options: EndFactsOptions;
  private readonly wait: RecordWait;
  /** The results of the latest read of history and of the latest status. */
  private lastRead: AnswerKind | undefined;
  private lastStatus: AnswerKind | undefined;
  private elements = -1;
  /** When a source last listed outputs, and since when they are the same. */
  private listedAt = -1;
  private steadySince = -1;

  constructor(job: Ending, options: EndFactsOptions) {
    this.job = job;
    this.options = options;
    this.wait = new RecordWait(options.clock);
    if (job.detail !== undefined) this.takeDetail(job.detail);
  }

  /** HistoryRecord is about to be read. */
  begin(): void {
    this.wait.begin();
  }

  takeRecord(answer: E.Either<ServiceError, HistoryRecord>): void {
    const kind = kindOf(answer);
    const wasKnown = this.record !== undefined || this.isUnknown;
    this.wait.read(
      isUnreachable(kind) ? 'unreachable' : kind === 'missing' && wasKnown ? 'unknown' : 'answered',
    );
    this.lastRead = kind;
    if (E.isLeft(answer)) {
      if (isAboveBound(answer.left)) this.aboveBound = answer.left;
      return;
    }
    this.record = answer.right;
    this.wait.known();
    this.noteListed();
  }

  takeDetail(detail: JobDetail): void {
    this.detail = detail;
    this.wait.known();
    this.noteListed();
  }

  takeStatus(answer: E.Either<ServiceError, JobStatus>): void {
    this.lastStatus = kindOf(answer);
    if (E.isRight(answer)) {
      this.status = answer.right;
      this.wait.known();
    } else if (this.isUnknown) {
      this.wait.unknown();
    }
  }

  /** How the job ended, as far as it is known now. */
  get end(): JobEnd {
    return concludeEnd(this.ends);
  }

  /** Whether REST has not said how the job ended: the socket has, or a record that says `error` and nothing more. */
  get isUnconfirmed(): boolean {
    return this.ends.every((end) => end.source === 'socket' || (end.source === 'record' && isBare(end)));
  }

  /** Whether history did not know the job when it was last read. */
  get isRecordMissing(): boolean {
    return this.lastRead === 'missing';
  }

  /** Whether the time until the next read may be excused. */
  get isExcused(): boolean {
    return isUnreachable(this.lastRead) || this.isUnknown;
  }

  /** Of a job that did not complete: `whole` once its reason is known and its record has all that was reported. */
  get verdict(): OutputsVerdict {
    const { job, options, record, end } = this;
    const { outputs, gapless } = job;
    const { recordsAppearWhole } = options;
    if (end.phase === 'completed')
      return outputsVerdict(
        { record, detail: this.detail, listed: this.listed, steadyMs: this.listedAt - this.steadySince },
        { outputs, gapless, recordsAppearWhole },
      );
    const isFinal = record === undefined ? isCounted(this.detail) : record.isFinal || recordsAppearWhole;
    return isFinal && !isBare(end) && fileCount(unlistedOutputs(outputs, this.listed)) === 0
      ? 'whole'
      : 'trails';
  }

  /** For how much longer the record is awaited; not at all from 0 on. */
  get leftMs(): number {
    if (this.aboveBound !== undefined) return 0;
    return this.leftOf(this.isUnanswered ? Infinity : this.patienceMs);
  }

  /** Whether the record has been awaited for long enough, so that the job may end once REST has said the same. */
  get isDue(): boolean {
    return this.leftOf(this.patienceMs) <= 0;
  }

  /** When a record that says the same as before is to be believed; `Infinity` if there is no such record, or that time has passed. */
  get steadyInMs(): number {
    const leftMs = steadyAfterMs - (this.options.clock.now() - this.steadySince);
    return this.elements === -1 || leftMs <= 0 ? Infinity : leftMs;
  }

  private get ends(): readonly [JobEnd, ...JobEnd[]] {
    if (this.isSilent) return this.job.ends;
    const ends: [JobEnd, ...JobEnd[]] = [...this.job.ends];
    for (const source of ['record', 'detail', 'status'] as const) {
      const end = this.endOf(source);
      if (end !== undefined) ends.push(end);
    }
    return ends;
  }

  /**
   * Whether a record that should hold the messages of the run has none of an end that the socket told as an error: then the record,
   * and the status that is read from it, say no more than that the run is over.
   */
  private get isSilent(): boolean {
    const { record, options } = this;
    const said = record ?? this.detail;
    if (!options.recordsHoldMessages || said?.endedAt !== undefined) return false;
    const isSuccess = said?.phase === undefined || said.phase === 'completed';
    return isSuccess && this.job.ends.some((end) => end.source === 'socket' && isFailureWithReason(end));
  }

  /** Whether neither history nor the status knows the job. */
  private get isUnknown(): boolean {
    return !this.options.recordsAppearWhole && this.isRecordMissing && this.lastStatus === 'missing';
  }

  /** Whether REST has given no sensible answer to how the job ended. */
  private get isUnanswered(): boolean {
    const { isUnconfirmed, lastStatus, options } = this;
    const isAnswered = lastStatus === 'known' || (lastStatus === 'missing' && !this.isRecordMissing);
    return isUnconfirmed && !isAnswered && !options.recordsAppearWhole;
  }

  private get patienceMs(): number {
    const { end, record, job } = this;
    const isRecorded = record?.phase !== undefined;
    if (end.phase === 'completed') return Infinity;
    if (isBare(end)) {
      const mayBeConfirmed = this.isUnconfirmed && isUnreachable(this.lastStatus);
      // A detail that does not know the end yet will say more.
      const isDetailed = this.endOf('detail') !== undefined;
      return isDetailed || (isRecorded && !mayBeConfirmed) ? steadyAfterMs : Infinity;
    }
    return isRecorded || job.gapless || !job.hasBegun ? briefMs : steadyAfterMs;
  }

  private leftOf(patienceMs: number): number {
    const { end, isUnconfirmed } = this;
    const { recordWithinMs } = this.options;
    const isCompleted = end.phase === 'completed';
    return this.wait.leftMs({
      patienceMs: Math.min(patienceMs, recordWithinMs),
      maxUnreachableMs: isCompleted || isBare(end) ? maxLostMs : maxLostOfUnfinishedMs,
      maxUnknownMs: isCompleted || isUnconfirmed ? Math.min(maxUnknownMs, recordWithinMs) : 0,
    });
  }

  private noteListed(): void {
    this.listed = listedOutputs(this);
    const elements = elementCount(this.listed);
    this.listedAt = this.options.clock.now();
    if (elements !== this.elements) this.steadySince = this.listedAt;
    this.elements = elements;
  }

  private endOf(source: 'record' | 'detail' | 'status'): JobEnd | undefined {
    const said = this[source];
    const phase = said?.phase;
    return phase === 'completed' || phase === 'failed' || phase === 'cancelled'
      ? { promptId: this.job.promptId, phase, failure: said?.failure, source }
      : undefined;
  }
}

const isFailureWithReason = (end: JobEnd): boolean => end.phase === 'failed' && !isBare(end);

const kindOf = (answer: E.Either<ServiceError, unknown>): AnswerKind =>
  E.isRight(answer) ? 'known' : answerOf(answer.left).kind;

/** A refusal of the key is over once there is a new one. */
const isUnreachable = (kind: AnswerKind | undefined): boolean => kind === 'failed' || kind === 'final';
