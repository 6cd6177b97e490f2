import type { TimerQueue, QueuedTimer } from './timer-queue.js';
import type { ConnectionState } from '../../core/socket/connection-state.js';
import type { Platform } from '../../core/platform/platform.js';

const silenceMs = 30_000;
/** The place of a waiting job is asked for so soon, and each time after twice as long. */
const placeMs = 3_000;
const doubtMs = 2_000;
const firstPollMs = 500;
const pollMs = 2_000;
const pollGrowth = 1.5;
const pollCapMs = 30_000;
/** A timer that fires this late shows that the page was hidden or the machine slept. */
const sleptMs = 10_000;

/** What all schedules share. */
export interface ScheduleContext {
  readonly platform: Pick<Platform, 'clock' | 'random'>;
  readonly timers: TimerQueue;
}

/** The job that is polled. */
export interface PolledJob {
  /** When its latest frame came, in whole milliseconds of the monotonic clock, rounded up; -1 if none ever did. */
  readonly lastFrameAt: number;
  /** Whether it waits, and REST may tell its place in the queue. */
  readonly seeksPlace: boolean;
  /** Asks REST about it. */
  readonly poll: () => void;
  /** Asks REST where the request budget has room for what may as well be left out. */
  readonly look: () => void;
  /** Called where timers did not run for a while. */
  readonly onTimersPaused: () => void;
}

/** Options of {@link PollSchedule}. */
export interface PollScheduleOptions {
  /** True for a job whose past is unknown, which is polled at once. */
  readonly atOnce: boolean;
  /** The id of the socket that the job's events go to, where they go to one only (local dialect). */
  readonly boundTo: string | undefined;
  /** The longest pause between two polls while no event of the job has come; default 30 s. */
  readonly pollsWithinMs?: number;
}

/**
 * Decides when to poll a job over REST:
 *
 * - when a socket has opened and events may be missing;
 * - after about 30 s (±20 %) without a frame of the job;
 * - after 3, 9, 21 and 45 s while it waits and REST may tell its place in the queue;
 * - 2 s after something made its state doubtful;
 * - while no socket brings its events: first after 0.5 s, then every 2 s and ever slower, up to 30 s or what the dialect says;
 * - when an answer said nothing and has to be repeated.
 *
 * In between a job is one entry of the timer queue, and a frame touches nothing here.
 */
export class PollSchedule implements QueuedTimer {
  dueAt = Infinity;
  place = -1;
  private readonly context: ScheduleContext;
  private readonly job: PolledJob;
  private readonly atOnce: boolean;
  private readonly boundTo: string | undefined;
  private readonly pollsWithinMs: number;
  /** The id of the socket that brings the job's events, false if none does, undefined before the first. */
  private socket: string | false | undefined;
  private quietSince = -Infinity;
  private polls = 0;
  /** When its place is asked for, and how often it was on this socket. */
  private placeAt = Infinity;
  private looks = 0;
  private regularAt = Infinity;
  private doubtAt = Infinity;

  constructor(
    timing: ScheduleContext,
    job: PolledJob,
    { atOnce, boundTo, pollsWithinMs = pollCapMs }: PollScheduleOptions,
  ) {
    this.context = timing;
    this.job = job;
    this.atOnce = atOnce;
    this.boundTo = boundTo;
    this.pollsWithinMs = pollsWithinMs;
  }

  /** Whether the socket that is open brings the job's events. */
  get hasSocket(): boolean {
    return typeof this.socket === 'string';
  }

  onConnectionState(state: ConnectionState): void {
    const socket = socketOf(state, this.boundTo);
    if (socket === undefined || socket === this.socket) return;
    this.detectPause(this.context.platform.clock.now());
    const mayHaveMissed = this.socket !== undefined || this.atOnce;
    this.socket = socket;
    this.quietSince = this.context.platform.clock.now();
    this.polls = 0;
    this.looks = 0;
    this.regularAt = this.quietSince + this.jitter(socket === false ? firstPollMs : silenceMs);
    this.planLook(this.quietSince);
    this.plan();
    if (mayHaveMissed) this.job.poll();
  }

  /** Polls in 2 s, since something made the job's state doubtful. */
  pollSoon(): void {
    this.doubtAt = this.context.platform.clock.now() + doubtMs;
    this.plan();
  }

  /** Polls in `delayMs` at the latest. */
  pollWithin(delayMs: number): void {
    this.doubtAt = Math.min(this.doubtAt, this.context.platform.clock.now() + delayMs);
    this.plan();
  }

  stop(): void {
    this.context.timers.drop(this);
  }

  due(): void {
    const now = this.context.platform.clock.now();
    this.detectPause(now);
    const isDoubtful = this.doubtAt <= now;
    if (isDoubtful) this.doubtAt = Infinity;
    const isRegular =
      this.regularAt <= now && (this.socket === false ? this.planNextPoll(now) : this.isSilent(now));
    const looks = this.placeAt <= now && this.planLook(now);
    this.plan();
    if (isDoubtful || isRegular) this.job.poll();
    else if (looks) this.job.look();
  }

  /** Plans the next question for the place of a waiting job, where one is told; later polls for silence ask for it as well. */
  private planLook(now: number): boolean {
    const { seeksPlace } = this.job;
    const waitMs = placeMs * 2 ** this.looks;
    const isPlanned = seeksPlace && this.hasSocket && waitMs < silenceMs;
    this.placeAt = isPlanned ? now + this.jitter(waitMs) : Infinity;
    this.looks += 1;
    return seeksPlace;
  }

  private planNextPoll(now: number): true {
    const capMs = this.job.lastFrameAt < 0 ? this.pollsWithinMs : pollCapMs;
    this.regularAt = now + this.jitter(Math.min(capMs, pollMs * pollGrowth ** this.polls));
    this.polls += 1;
    return true;
  }

  private isSilent(now: number): boolean {
    const isSilent = this.job.lastFrameAt <= this.quietSince;
    this.quietSince = isSilent ? now : this.job.lastFrameAt;
    this.regularAt = Math.max(now, this.quietSince + this.jitter(silenceMs));
    return isSilent;
  }

  /** After a pause of the program this timer may fire later than the socket's close event. */
  private detectPause(now: number): void {
    if (now - this.dueAt >= sleptMs) this.job.onTimersPaused();
  }

  private plan(): void {
    this.context.timers.put(this, Math.min(this.regularAt, this.doubtAt, this.placeAt));
  }

  private jitter(ms: number): number {
    return ms * (0.8 + 0.4 * this.context.platform.random());
  }
}

/** Undefined while the first socket is still to come. */
const socketOf = (state: ConnectionState, boundTo: string | undefined): string | false | undefined => {
  switch (state._tag) {
    case 'open':
      return boundTo === undefined || boundTo === state.clientId ? state.clientId : false;
    case 'idle':
    case 'closed':
      return undefined;
    case 'connecting':
      return state.attempt === 0 ? undefined : false;
    default:
      return false;
  }
};
