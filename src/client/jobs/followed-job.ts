import { afterPause, nextPollMs, noMisses } from './status-answers.js';
import { type PolledJob, PollSchedule } from './poll-schedule.js';
import { confirmEnd } from './confirm-end.js';
import { isAheadOfSocket } from './stale-socket.js';
import type { ConnectionState } from '../../core/socket/connection-state.js';
import type { Ending } from './end-facts.js';
import type { Frame } from '../../core/protocol/frames/frame.js';
import type { FrameListener } from '../../core/socket/route.js';
import { reconcile, limitsOf, type LastSeen } from './reconcile.js';
import { isAllCached } from '../../core/state/is-all-cached.js';
import { isEndMark } from '../../core/protocol/attribution/running-prompts.js';
import { isClosed, namingJob } from './closed-error.js';
import { isTerminal, type JobState } from '../../core/state/job-state.js';
import { jobEnd, type JobEnd } from './job-end.js';
import { type JobInput, stepJobState } from '../../core/state/step-job-state.js';
import type { Outputs } from '../../core/state/outputs.js';
import {
  type Observable,
  ReplaySubject,
  type Subscriber,
  type Subscription,
  type Unsubscribable,
} from 'rxjs';
import type { Announced } from './deaf-socket.js';
import type { QueuedRequest } from './rate-limiter.js';
import { socketImageBytes } from '../../core/state/socket-images.js';
import type { Tracked } from './tracked.js';
import type { TrackerContext } from './tracker-context.js';
import { withMissingImages } from './image-bound.js';

/** How soon a job is polled again that no source has reported yet. */
const askAgainMs = 5_000;

/**
 * One job that is followed: the socket's frames and REST's answers enter one fold, whose states go to one subscriber.
 *
 * It is the listener of its frames and the request that waits for the rate limiter, and its {@link PollSchedule} is an entry
 * of the timer queue: an idle job holds nothing but these two records. Streams exist only while REST is asked.
 */
export class FollowedJob
  implements FrameListener, QueuedRequest, PolledJob, LastSeen, Ending, Announced, Unsubscribable
{
  lastFrameAt = -1;
  private state: JobState;
  private readonly context: TrackerContext<FollowedJob>;
  private readonly subscriber: Subscriber<JobState>;
  private readonly onFrame: Tracked['onFrame'];
  answeredAt: number;
  answers = noMisses;
  isCancelled = false;
  /** The job in the jobs API, where a poll found it there after its end. */
  detail: Ending['detail'];
  private awaitingFirstReport: boolean;
  private readonly schedule: PollSchedule;
  private isAsking = false;
  /** Whether REST is asked for its place alone. */
  looksOnly = false;
  /** Whether REST was asked for it and told no place in the queue. */
  private hasNoPlace = false;
  private isCheckingSocket = false;
  private reconciliation: Subscription | undefined;
  /** Every end that a source reported, once one did. */
  private knownEnds: [JobEnd, ...JobEnd[]] | undefined;
  private confirmation: Subscription | undefined;
  /** Emits at each mark that no node runs, once an end is known. */
  private endMarks: ReplaySubject<void> | undefined;
  private hasOutputEvent = false;
  /** When the sockets opened that brought its start and its end; undefined if none did. */
  private startedOn: number | undefined;
  private endedOn: number | undefined;

  constructor(context: TrackerContext<FollowedJob>, subscriber: Subscriber<JobState>, tracked: Tracked) {
    const { initial, wasSeen, awaitingFirstReport = false, boundTo, onFrame } = tracked;
    this.context = context;
    this.subscriber = subscriber;
    this.state = initial;
    this.onFrame = onFrame;
    this.isCancelled = context.wasCancelled(initial.promptId);
    this.awaitingFirstReport = awaitingFirstReport;
    this.answeredAt = wasSeen ? context.platform.clock.now() : -Infinity;
    const { pollsWithinMs } = context.dialect.limits;
    this.schedule = new PollSchedule(context, this, {
      atOnce: awaitingFirstReport || !wasSeen,
      boundTo,
      pollsWithinMs,
    });
  }

  get promptId(): string {
    return this.state.promptId;
  }

  /** When a source last reported it; -Infinity for never. */
  get seenAt(): number {
    return Math.max(this.lastFrameAt < 0 ? -Infinity : this.lastFrameAt, this.answeredAt);
  }

  get ends(): readonly [JobEnd, ...JobEnd[]] {
    if (this.knownEnds === undefined) throw new Error('the job has not ended');
    return this.knownEnds;
  }

  get outputs(): Outputs {
    return this.state.outputs;
  }

  /** Where every node was cached and none reported its files, they may stand in the record alone. */
  get gapless(): boolean {
    const isWhole = this.endedOn !== undefined && this.endedOn === this.startedOn;
    return isWhole && (this.hasOutputEvent || !isAllCached(this.state));
  }

  /** How many bytes of pictures its state holds. */
  get imageBytes(): number {
    return socketImageBytes(this.state);
  }

  get hasBegun(): boolean {
    return this.state.phase !== 'pending' || this.lastFrameAt >= 0;
  }

  /** The socket that is open did not bring the frames so far. */
  onSocketReplaced(): void {
    this.startedOn = undefined;
    this.endedOn = undefined;
  }

  get isWaiting(): boolean {
    // Before the first report nothing says that it waits, unless the service had it when it was cancelled.
    return (
      this.state.phase === 'pending' &&
      (!this.awaitingFirstReport || this.context.wasCancelled(this.promptId))
    );
  }

  get seeksPlace(): boolean {
    const { dialect, details } = this.context;
    return dialect.jobs.tellsPlaces && this.isWaiting && !this.hasNoPlace && details.isThere();
  }

  get isOnSameServer(): boolean {
    const { openedAt, states } = this.context.source;
    return states.value._tag === 'open' && openedAt <= this.seenAt;
  }

  onConnectionState(state: ConnectionState): void {
    if (this.subscriber.closed) return;
    this.noteSocket(state);
    this.schedule.onConnectionState(state);
  }

  /** Takes a frame of the job. */
  next(frame: Frame): void {
    if (this.subscriber.closed) return;
    // Rounded up, since rounded down it could be before the socket opened.
    this.lastFrameAt = Math.ceil(this.context.platform.clock.now());
    if (isEndMark(frame)) {
      this.schedule.pollSoon();
      this.endMarks?.next();
    }
    this.onFrame?.(frame);
    if (frame._tag === 'Event' && frame.type === 'execution_start')
      this.startedOn = this.context.source.openedAt;
    if (frame._tag === 'Event' && frame.type === 'executed') this.hasOutputEvent = true;
    this.take(this.context.images.bounded(this.state, frame));
  }

  /** The service has taken its cancellation. No frame says that a waiting job is gone. */
  cancelled(): void {
    if (this.subscriber.closed) return;
    this.isCancelled = true;
    this.schedule.pollSoon();
    this.poll();
  }

  /** Polls the job, unless a poll is under way or its end is being confirmed. */
  poll(looksOnly = false): void {
    this.looksOnly = looksOnly;
    if (this.isAsking || this.knownEnds !== undefined) return;
    this.isAsking = true;
    this.context.limiter.enqueue(this);
  }

  look(): void {
    if (!this.isAsking && this.context.limiter.hasRoom()) this.poll(true);
  }

  get runIsOver(): Observable<void> | undefined {
    return this.endMarks;
  }

  /** Polls, and says where REST has the job. */
  checkSocket(): void {
    if (this.subscriber.closed) return;
    this.isCheckingSocket = true;
    if (this.knownEnds === undefined) this.poll();
    else this.found();
  }

  private found(): void {
    if (this.isCheckingSocket) this.context.jobIsThere();
    this.isCheckingSocket = false;
  }

  /** Polls, now that the rate limiter permits it. */
  granted(): void {
    const { seenAt: seenBefore, looksOnly } = this;
    this.reconciliation = reconcile(this.context, this).subscribe({
      next: ({ event, detail, isLast }) => {
        const { lastFrameAt } = this;
        const { openedAt } = this.context.source;
        this.detail ??= jobEnd(event) === undefined ? undefined : detail;
        if (isLast !== true) this.found();
        const isHeard = this.knownEnds === undefined && this.schedule.hasSocket;
        if (isHeard && isAheadOfSocket(event, this.state, { seenBefore, lastFrameAt, openedAt }))
          this.context.restWasAhead();
        if (isLast !== true) this.take(event);
        // A job that REST knows no more has ended all the same.
        else if (this.knownEnds === undefined) this.fold(event);
      },
      error: (error: unknown) => {
        if (this.knownEnds === undefined || isClosed(error)) this.fail(error);
      },
      complete: () => {
        this.isAsking = false;
        this.reconciliation = undefined;
        this.hasNoPlace = this.state.queue === undefined;
        const nextMs =
          nextPollMs(this.answers, limitsOf(this.context, this)) ??
          (this.awaitingFirstReport ? askAgainMs : undefined);
        if (nextMs !== undefined) this.schedule.pollWithin(nextMs);
        // A poll that was to follow while its place was asked for.
        if (looksOnly && !this.looksOnly) this.poll();
      },
    });
  }

  /** Timers did not run until now: that time says nothing about the job. */
  onTimersPaused(): void {
    this.answers = afterPause(this.answers);
  }

  /** Ends it where no source can be asked any more. */
  fail(error: unknown): void {
    this.subscriber.error(namingJob(error, this.promptId));
  }

  unsubscribe(): void {
    this.schedule.stop();
    this.context.limiter.cancel(this);
    this.reconciliation?.unsubscribe();
    this.confirmation?.unsubscribe();
    this.context.left(this);
  }

  private take(event: JobInput): void {
    if (this.subscriber.closed) return;
    const end = jobEnd(event);
    if (end === undefined) {
      this.fold(event);
      return;
    }
    if (end.source === 'socket') this.endedOn = this.context.source.openedAt;
    const isFirst = this.knownEnds === undefined;
    if (this.knownEnds === undefined) this.knownEnds = [end];
    else this.knownEnds.push(end);
    if (event._tag === 'HistoryRead')
      this.fold({ _tag: 'HistoryRead', promptId: event.promptId, outputs: event.outputs });
    if (!isFirst) return;
    this.context.endIsKnown(this.promptId);
    this.endMarks = new ReplaySubject(1);
    this.noteSocket(this.context.source.states.value);
    this.confirmation = confirmEnd(this.context, this).subscribe({
      next: (confirmed) => this.fold(this.gapless ? confirmed : withMissingImages(this.state, confirmed)),
      error: (error: unknown) => this.fail(error),
    });
  }

  /** No mark of a record comes by a socket that is gone. */
  private noteSocket({ _tag }: ConnectionState): void {
    if (_tag !== 'open' && this.context.dialect.jobs.marksRecords) this.endMarks?.next();
  }

  private fold(event: JobInput): void {
    const state = stepJobState(this.state, event);
    const isFromRest = event._tag === 'StatusRead' || event._tag === 'HistoryRead';
    if (state === this.state && !(this.awaitingFirstReport && isFromRest)) return;
    this.state = state;
    // A job whose end is known neither waits nor runs; and where a stream begins with what has happened, its first events do not
    // say where the job stands.
    const isStale =
      this.knownEnds !== undefined || (!isFromRest && this.context.dialect.jobs.polledThroughout);
    if (this.awaitingFirstReport && isStale && !isTerminal(state.phase)) return;
    this.awaitingFirstReport = false;
    this.subscriber.next(state);
    if (!isTerminal(state.phase)) return;
    this.context.endIsKnown(this.promptId);
    this.subscriber.complete();
  }
}
