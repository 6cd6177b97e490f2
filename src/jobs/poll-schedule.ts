import type { Agenda, Due } from './timer-queue.js';
import type { ConnectionState } from '../socket/connection-state.js';
import type { Platform } from '../platform/platform.js';

const silenceMs = 30_000;
const doubtMs = 2_000;
const firstPollMs = 500;
const pollMs = 2_000;
const pollGrowth = 1.5;
const pollCapMs = 30_000;
/** A timer that comes this much too late tells of a page that was hidden or a machine that slept. */
const sleptMs = 10_000;

/** What all jobs' occasions share. */
export interface Timing {
  readonly platform: Pick<Platform, 'clock' | 'random'>;
  readonly agenda: Agenda;
}

/** The job whose occasions they are. */
export interface Asking {
  /** When a frame of it came last, in whole milliseconds of the monotonic clock, rounded up; -1 where none ever did. */
  readonly heardAt: number;
  /** Asks REST about it. */
  readonly ask: () => void;
  /** Told that timers did not run for a while. */
  readonly slept: () => void;
}

/** Options of {@link Occasions}. */
export interface OccasionsOptions {
  /** True for a job whose past is unknown, which is looked up at once. */
  readonly atOnce: boolean;
  /** The id of the socket that the job's events go to, where they go to one only (local dialect). */
  readonly boundTo: string | undefined;
}

/**
 * Has REST asked about a job whenever there is reason to.
 *
 * That is: when a socket opened and events may have been missed; after about 30 s (±20 %) without a frame of the job; 2 s
 * after something made its state doubtful; and while no socket brings the job's events, first after 0.5 s, then every
 * 2 s and ever slower up to 30 s; and when an answer that told nothing wants another one. Between two of them a job is one entry of the agenda, and a frame touches nothing here.
 */
export class Occasions implements Due {
  dueAt = Infinity;
  place = -1;
  private readonly timing: Timing;
  private readonly job: Asking;
  private readonly atOnce: boolean;
  private readonly boundTo: string | undefined;
  /** The socket that brings the job's events, false where none does, undefined while that was never known. */
  private hears: string | false | undefined;
  private quietSince = -Infinity;
  private polls = 0;
  private regularAt = Infinity;
  private doubtAt = Infinity;

  constructor(timing: Timing, job: Asking, { atOnce, boundTo }: OccasionsOptions) {
    this.timing = timing;
    this.job = job;
    this.atOnce = atOnce;
    this.boundTo = boundTo;
  }

  /** Whether the socket that is open brings the job's events. */
  get isHeard(): boolean {
    return typeof this.hears === 'string';
  }

  /** Takes in where the connection stands. */
  heed(state: ConnectionState): void {
    const hears = hearing(state, this.boundTo);
    if (hears === undefined || hears === this.hears) return;
    this.noticeSleep(this.timing.platform.clock.now());
    const mayHaveMissed = this.hears !== undefined || this.atOnce;
    this.hears = hears;
    this.quietSince = this.timing.platform.clock.now();
    this.polls = 0;
    this.regularAt = this.quietSince + this.jitter(hears === false ? firstPollMs : silenceMs);
    this.plan();
    if (mayHaveMissed) this.job.ask();
  }

  /** Something makes the job's state doubtful. */
  doubt(): void {
    this.doubtAt = this.timing.platform.clock.now() + doubtMs;
    this.plan();
  }

  /** Has it asked once more by then. */
  again(delayMs: number): void {
    this.doubtAt = Math.min(this.doubtAt, this.timing.platform.clock.now() + delayMs);
    this.plan();
  }

  stop(): void {
    this.timing.agenda.drop(this);
  }

  due(): void {
    const now = this.timing.platform.clock.now();
    this.noticeSleep(now);
    const isDoubtful = this.doubtAt <= now;
    if (isDoubtful) this.doubtAt = Infinity;
    const isRegular = this.regularAt <= now && (this.hears === false ? this.poll(now) : this.isSilent(now));
    this.plan();
    if (isDoubtful || isRegular) this.job.ask();
  }

  private poll(now: number): true {
    this.regularAt = now + this.jitter(Math.min(pollCapMs, pollMs * pollGrowth ** this.polls));
    this.polls += 1;
    return true;
  }

  private isSilent(now: number): boolean {
    const isSilent = this.job.heardAt <= this.quietSince;
    this.quietSince = isSilent ? now : this.job.heardAt;
    this.regularAt = Math.max(now, this.quietSince + this.jitter(silenceMs));
    return isSilent;
  }

  /** After the program stood still, this timer may fire later than the socket's close event. */
  private noticeSleep(now: number): void {
    if (now - this.dueAt >= sleptMs) this.job.slept();
  }

  private plan(): void {
    this.timing.agenda.put(this, Math.min(this.regularAt, this.doubtAt));
  }

  private jitter(ms: number): number {
    return ms * (0.8 + 0.4 * this.timing.platform.random());
  }
}

/** Undefined while the first socket is still to come. */
const hearing = (state: ConnectionState, boundTo: string | undefined): string | false | undefined => {
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
