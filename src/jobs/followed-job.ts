import { afterPause, nextPollMs, noMisses } from './status-answers.js';
import { type Asking, Occasions, type Timing } from './poll-schedule.js';
import { type ConfirmationNeeds, confirmEnd } from './confirm-end.js';
import type { ConnectionState } from '../socket/connection-state.js';
import type { Ending } from './end-facts.js';
import type { Frame } from '../protocol/frames/frame.js';
import type { FrameListener } from '../socket/route.js';
import type { FrameSource } from '../socket/frame-source.js';
import { inquire, type InquiryNeeds, limitsOf, type Sightings } from './reconcile.js';
import { isEndMark } from '../protocol/attribution/running-prompts.js';
import { isServiceError, serviceError } from '../errors/service-error.js';
import { isTerminal, type JobState } from '../state/job-state.js';
import { jobEnd, type JobEnd } from './job-end.js';
import { type JobEvent, stepJobState } from '../state/step-job-state.js';
import type { Outputs } from '../state/outputs.js';
import type { ServiceErrorOf } from '../errors/errors.js';
import type { Subscriber, Subscription, Unsubscribable } from 'rxjs';
import type { Turn } from './rate-limiter.js';

/** A job of which no source has said anything yet is asked for again so soon. */
const askAgainMs = 5_000;

/** The job to follow and what is known of it. */
export interface Tracked {
  readonly initial: JobState;
  /** Whether the service is known to have known the job. */
  readonly sighted: boolean;
  /** Emits nothing until a source has told where the job stands; default: the initial state, at once. */
  readonly isQuiet?: boolean;
  /** What was kept of its frames from before; read once, in the turn in which it is subscribed to. */
  readonly claim?: (() => readonly Frame[]) | undefined;
  /** The id of the socket that the job's events go to, where they go to one only (local dialect). */
  readonly boundTo?: string | undefined;
  /** The id of the socket that was open when it was submitted. */
  readonly submittedOn?: string | undefined;
  /** Told each frame of the job before it is folded. */
  readonly heard?: ((frame: Frame) => void) | undefined;
}

/** What all jobs of a client share. */
export interface Desk extends InquiryNeeds, Timing, ConfirmationNeeds {
  readonly platform: InquiryNeeds['platform'] & Timing['platform'];
  readonly rest: InquiryNeeds['rest'] & ConfirmationNeeds['rest'];
  readonly budget: InquiryNeeds['budget'];
  readonly source: Pick<FrameSource, 'openedAt' | 'states'>;
  /** Told that REST was ahead of the open socket. */
  readonly missed: () => void;
  /** Told when a job is followed no more. */
  readonly left: (job: FollowedJob) => void;
}

/**
 * One job that is followed: the socket's frames and REST's answers enter one fold, whose states go to one subscriber.
 *
 * It is a listener of the route and a waiter of the budget, and its {@link Occasions} are an entry of the agenda, so that an
 * idle job holds nothing but these two records; streams are made only while REST is asked.
 */
export class FollowedJob implements FrameListener, Turn, Asking, Sightings, Ending, Unsubscribable {
  // What each frame comes by stands together.
  heardAt = -1;
  private state: JobState;
  private readonly desk: Desk;
  private readonly subscriber: Subscriber<JobState>;
  private readonly heard: Tracked['heard'];
  answeredAt: number;
  answers = noMisses;
  isCancelled = false;
  private isQuiet: boolean;
  private readonly occasions: Occasions;
  private isAsking = false;
  private inquiry: Subscription | undefined;
  /** Every end that was told, once one was. */
  private told: [JobEnd, ...JobEnd[]] | undefined;
  private confirmation: Subscription | undefined;
  private hasOutputEvent = false;
  /** When the sockets had opened that brought its start and its end; undefined where none did. */
  private startedOn: number | undefined;
  private endedOn: number | undefined;

  constructor(desk: Desk, subscriber: Subscriber<JobState>, tracked: Tracked) {
    const { initial, sighted, isQuiet = false, boundTo, heard } = tracked;
    this.desk = desk;
    this.subscriber = subscriber;
    this.state = initial;
    this.heard = heard;
    this.isQuiet = isQuiet;
    this.answeredAt = sighted ? desk.platform.clock.now() : -Infinity;
    this.occasions = new Occasions(desk, this, { atOnce: isQuiet || !sighted, boundTo });
  }

  get promptId(): string {
    return this.state.promptId;
  }

  /** When it was last known of, by whatever source; -Infinity for never. */
  get seenAt(): number {
    return Math.max(this.heardAt < 0 ? -Infinity : this.heardAt, this.answeredAt);
  }

  get ends(): readonly [JobEnd, ...JobEnd[]] {
    if (this.told === undefined) throw new Error('the job has not ended');
    return this.told;
  }

  get outputs(): Outputs {
    return this.state.outputs;
  }

  /** Where nothing ran and no node told what it made before, the files may stand in the record alone. */
  get isHeardWhole(): boolean {
    const isWhole = this.endedOn !== undefined && this.endedOn === this.startedOn;
    return isWhole && (this.hasOutputEvent || !isAllCached(this.state));
  }

  get hasBegun(): boolean {
    return this.state.phase !== 'pending' || this.heardAt >= 0;
  }

  /** Its frames so far came over another socket than the one that is open. */
  heardElsewhere(): void {
    this.startedOn = undefined;
    this.endedOn = undefined;
  }

  get isWaiting(): boolean {
    // Of a job that is followed anew no source has said yet that it waits.
    return this.state.phase === 'pending' && !this.isQuiet;
  }

  get isOnSameServer(): boolean {
    const { openedAt, states } = this.desk.source;
    return states.value._tag === 'open' && openedAt <= this.seenAt;
  }

  /** Takes in where the connection stands. */
  heed(state: ConnectionState): void {
    if (!this.subscriber.closed) this.occasions.heed(state);
  }

  /** Takes a frame of the job. */
  next(frame: Frame): void {
    if (this.subscriber.closed) return;
    // A whole number stands in this record itself, not in an object of its own; rounded down it could be before the socket opened.
    this.heardAt = Math.ceil(this.desk.platform.clock.now());
    if (isEndMark(frame)) this.occasions.doubt();
    this.heard?.(frame);
    if (frame._tag === 'Event' && frame.type === 'execution_start')
      this.startedOn = this.desk.source.openedAt;
    if (frame._tag === 'Event' && frame.type === 'executed') this.hasOutputEvent = true;
    this.learn(frame);
  }

  /** The service has taken its cancellation. Nothing on the socket says that a job which waited is gone. */
  cancelled(): void {
    if (this.subscriber.closed) return;
    this.isCancelled = true;
    this.occasions.doubt();
    this.ask();
  }

  /** Has REST asked about it, unless that is being done already, or its end is known and being confirmed. */
  ask(): void {
    // Of a job that has ended, the record is being read.
    if (this.isAsking || this.told !== undefined) return;
    this.isAsking = true;
    this.desk.budget.enter(this);
  }

  /** Its turn of the request budget has come. */
  taken(): void {
    const seenBefore = this.seenAt;
    this.inquiry = inquire(this.desk, this).subscribe({
      next: ({ event, isLast }) => {
        if (this.isNewsToSocket(event, seenBefore)) this.desk.missed();
        if (isLast !== true) this.learn(event);
        // What REST does not know of any more has ended all the same.
        else if (this.told === undefined) this.fold(event);
      },
      error: (error: unknown) => {
        if (this.told === undefined || isClosed(error)) this.fail(error);
      },
      complete: () => {
        this.isAsking = false;
        this.inquiry = undefined;
        const nextMs =
          nextPollMs(this.answers, limitsOf(this.desk, this)) ?? (this.isQuiet ? askAgainMs : undefined);
        if (nextMs !== undefined) this.occasions.again(nextMs);
      },
    });
  }

  /** Timers did not run until now: that time tells nothing of the job. */
  slept(): void {
    this.answers = afterPause(this.answers);
  }

  /** Ends it where no source can be asked any more; the client's end is told with the job, so that it can be followed again. */
  fail(error: unknown): void {
    const names = isClosed(error) && error.promptId === undefined;
    this.subscriber.error(names ? serviceError('Closed', { promptId: this.promptId }) : error);
  }

  unsubscribe(): void {
    this.occasions.stop();
    this.desk.budget.leave(this);
    this.inquiry?.unsubscribe();
    this.confirmation?.unsubscribe();
    this.desk.left(this);
  }

  /**
   * Whether REST tells what the socket that is open should have brought: how a job ended, or that it began, which the
   * service had answered or sent frames for since that socket opened. That a waiting job was cancelled comes by no socket.
   */
  private isNewsToSocket(event: JobEvent, seenBefore: number): boolean {
    const { openedAt } = this.desk.source;
    if (this.told !== undefined || !this.occasions.isHeard || seenBefore < openedAt) return false;
    const end = jobEnd(event);
    if (end !== undefined) return end.phase !== 'cancelled';
    const begins =
      event._tag === 'StatusRead' && event.phase === 'in_progress' && this.state.phase === 'pending';
    return begins && this.heardAt < openedAt;
  }

  private learn(event: JobEvent): void {
    if (this.subscriber.closed) return;
    const end = jobEnd(event);
    if (end === undefined) {
      this.fold(event);
      return;
    }
    if (end.source === 'socket') this.endedOn = this.desk.source.openedAt;
    const isFirst = this.told === undefined;
    if (this.told === undefined) this.told = [end];
    else this.told.push(end);
    if (event._tag === 'HistoryRead')
      this.fold({ _tag: 'HistoryRead', promptId: event.promptId, outputs: event.outputs });
    if (!isFirst) return;
    this.confirmation = confirmEnd(this.desk, this).subscribe({
      next: (confirmed) => this.fold(confirmed),
      error: (error: unknown) => this.fail(error),
    });
  }

  private fold(event: JobEvent): void {
    const state = stepJobState(this.state, event);
    const isFirst = this.isQuiet && (event._tag === 'StatusRead' || event._tag === 'HistoryRead');
    if (state === this.state && !isFirst) return;
    this.state = state;
    // That it waits or runs would be wrong of a job that is known to have ended.
    if (this.isQuiet && this.told !== undefined && !isTerminal(state.phase)) return;
    this.isQuiet = false;
    this.subscriber.next(state);
    if (isTerminal(state.phase)) this.subscriber.complete();
  }
}

const isClosed = (error: unknown): error is ServiceErrorOf<'Closed'> =>
  isServiceError(error) && error._tag === 'Closed';

const isAllCached = ({ nodes }: JobState): boolean => {
  const named = Object.values(nodes);
  return named.length > 0 && named.every(({ phase }) => phase === 'cached');
};
