import * as E from '../protocol/either.js';
import type { History, JobDetail, JobStatus } from '../http/rest.js';
import type { ServiceError, ServiceErrorTag } from '../protocol/errors/errors.js';
import type { Outputs } from '../protocol/outputs/outputs.js';
import { elementCount, fileCount, unlistedOutputs } from '../protocol/outputs/unlisted-outputs.js';
import type { Clock } from '../socket/platform.js';
import { concludeEnd } from './conclude-end.js';
import { isBare, type JobEnd } from './job-end.js';
import { listedOutputs, type OutputsVerdict, outputsVerdict, steadyAfterMs } from './outputs-verdict.js';

/** A job that did not complete owes no outputs: its record is awaited only briefly where nothing depends on it. */
const briefMs = 750;
/** While history can't be reached its record does not trail: so much of that time does not count. */
const mostLostMs = 600_000;
const mostLostOfUnfinishedMs = 60_000;
/** A record that was there and is missing has no route for a while, or is gone: no more of that time is excused, nor than it may trail. */
const mostMissingMs = 90_000;
/** Between two reads no more than this counts: the rest of it the machine slept, or its page was frozen. */
const mostGapMs = 60_000;

const unreachable: ReadonlySet<ServiceErrorTag> = new Set<ServiceErrorTag>([
  'Network',
  'Timeout',
  'ServerError',
  'RateLimited',
]);

/** A job that has ended as far as it is known. */
export interface Ending {
  readonly promptId: string;
  /** Every end that was told so far; more may be told while the record is awaited. */
  readonly ends: readonly [JobEnd, ...JobEnd[]];
  /** The outputs that were told so far. */
  readonly outputs: Outputs;
  /** Whether one socket brought all events of the job, from its start to its end. */
  readonly isHeardWhole: boolean;
  /** Whether it is known to have begun. */
  readonly hasBegun: boolean;
}

/** Options of {@link EndFacts}. */
export interface EndFactsOptions {
  readonly clock: Clock;
  /** How long the record of a job that ended may trail. */
  readonly recordWithinMs: number;
  /** Whether records of this service appear whole, at the end only. */
  readonly appearsWhole: boolean;
}

/** What REST has told of a job that has ended, and what follows from it. */
export class EndFacts {
  record: History | undefined;
  detail: JobDetail | undefined;
  private status: JobStatus | undefined;
  private readonly job: Ending;
  private readonly options: EndFactsOptions;
  /** When history last answered, or was first asked; -1 before. */
  private readAt = -1;
  /** For how long its answers have been awaited for something new, and for how long it could not be reached. */
  private awaitedMs = 0;
  private lostMs = 0;
  /** For how long a record was missing that had been there. */
  private missingMs = 0;
  private isAnswered = false;
  private elements = -1;
  private steadySince = -1;

  constructor(job: Ending, options: EndFactsOptions) {
    this.job = job;
    this.options = options;
  }

  /** History is about to be read; what its first answer takes is no wait for its record. */
  begin(): void {
    if (this.readAt === -1) this.readAt = this.options.clock.now();
  }

  takeRecord(answer: E.Either<ServiceError, History>): void {
    const now = this.options.clock.now();
    const gapMs = Math.min(now - this.readAt, mostGapMs);
    if (E.isLeft(answer) && unreachable.has(answer.left._tag)) {
      this.lostMs += gapMs;
    } else if (E.isLeft(answer) && answer.left._tag === 'NotFound' && this.record !== undefined) {
      this.missingMs += gapMs;
    } else {
      if (this.isAnswered) this.awaitedMs += gapMs;
      this.isAnswered = true;
    }
    if (E.isRight(answer)) this.record = answer.right;
    this.readAt = now;
    this.noteListed();
  }

  takeDetail(detail: JobDetail): void {
    this.detail = detail;
    this.noteListed();
  }

  takeStatus(status: JobStatus): void {
    this.status = status;
  }

  /** How the job ended, as far as it is known now. */
  get end(): JobEnd {
    const { record, detail, status } = this;
    const [first, ...more] = this.job.ends;
    return concludeEnd([
      first,
      ...more,
      ...this.endOf('record', record),
      ...this.endOf('detail', detail),
      ...this.endOf('status', status),
    ]);
  }

  /** Whether nothing but the socket has said that the job is over, or that it failed where its record says `error` and no more. */
  get isHearsay(): boolean {
    const { source, phase } = this.end;
    return source === 'socket' && (phase === 'failed' || this.record?.phase === undefined);
  }

  get listed(): Outputs {
    return listedOutputs(this);
  }

  /** Of a job that did not complete: `whole` once its reason is known and its record has all that was told. */
  get verdict(): OutputsVerdict {
    const { job, options, record, end } = this;
    const { outputs, isHeardWhole } = job;
    const { appearsWhole } = options;
    if (end.phase === 'completed')
      return outputsVerdict(
        { record, detail: this.detail, steadyMs: this.steadyMs },
        { outputs, isHeardWhole, appearsWhole },
      );
    const isFinal = record !== undefined && (record.isFinal || appearsWhole);
    return isFinal && !isBare(end) && fileCount(unlistedOutputs(outputs, this.listed)) === 0
      ? 'whole'
      : 'trails';
  }

  /** For how much longer the record is awaited; not at all from 0 on. */
  get leftMs(): number {
    const waits = this.end.phase === 'completed' || isBare(this.end);
    const excusedMs = Math.min(waits ? mostLostMs : mostLostOfUnfinishedMs, this.lostMs);
    const excusedMissingMs = Math.min(
      this.end.phase === 'completed' ? Math.min(mostMissingMs, this.options.recordWithinMs) : 0,
      this.missingMs,
    );
    const countedMs = this.lostMs - excusedMs + (this.missingMs - excusedMissingMs);
    return this.patienceMs - this.awaitedMs - countedMs;
  }

  /** When a record that says the same as before is to be believed; `Infinity` where there is none, or it is believed already. */
  get steadyInMs(): number {
    return this.elements === -1 || this.steadyMs >= steadyAfterMs ? Infinity : steadyAfterMs - this.steadyMs;
  }

  private get steadyMs(): number {
    return this.options.clock.now() - this.steadySince;
  }

  private get patienceMs(): number {
    const { end, record, detail, job } = this;
    const { recordWithinMs } = this.options;
    if (end.phase === 'completed') return recordWithinMs;
    const isTold = record?.phase !== undefined;
    if (isBare(end))
      return isTold || detail !== undefined ? Math.min(steadyAfterMs, recordWithinMs) : recordWithinMs;
    const isSettled = isTold || job.isHeardWhole || !job.hasBegun;
    return Math.min(isSettled ? briefMs : steadyAfterMs, recordWithinMs);
  }

  private noteListed(): void {
    const isListed = this.record !== undefined || this.detail !== undefined;
    const elements = isListed ? elementCount(this.listed) : -1;
    if (elements !== this.elements) this.steadySince = this.options.clock.now();
    this.elements = elements;
  }

  private endOf(
    source: JobEnd['source'],
    told: (Pick<History, 'failure'> & { readonly phase?: JobStatus['phase'] }) | undefined,
  ): readonly JobEnd[] {
    const phase = told?.phase;
    if (phase === undefined || phase === 'pending' || phase === 'in_progress') return [];
    return [{ promptId: this.job.promptId, phase, failure: told?.failure, source }];
  }
}
