import type { Clock } from '../../core/platform/platform.js';

/** Between two reads no more than this counts: the rest of it the machine slept, or its page was frozen. */
const maxGapMs = 60_000;

/** What a read of history says of the wait: history answered, could not be reached, or does not know a job that it knew. */
export type ReadOutcome = 'answered' | 'unreachable' | 'unknown';

/** How long to wait, and how much time without an answer is excused. */
export interface WaitLimits {
  readonly patienceMs: number;
  readonly maxUnreachableMs: number;
  readonly maxUnknownMs: number;
}

/**
 * For how long the record of a job has been awaited.
 *
 * A record trails only while history answers and the service knows the job: other time is excused, up to a limit.
 */
export class RecordWait {
  private readonly clock: Pick<Clock, 'now'>;
  /** When history last answered, or was first asked; -1 before. */
  private readAt = -1;
  private isAnswered = false;
  private awaitedMs = 0;
  /** The part of it that passed since REST last knew the job. */
  private sinceKnownMs = 0;
  private unreachableMs = 0;
  private unknownMs = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.clock = clock;
  }

  /** History is about to be read; what its first answer takes is no wait for its record. */
  begin(): void {
    if (this.readAt === -1) this.readAt = this.clock.now();
  }

  /** History has been read. */
  read(outcome: ReadOutcome): void {
    const now = this.clock.now();
    const gapMs = Math.min(now - this.readAt, maxGapMs);
    this.readAt = now;
    if (outcome === 'unreachable') this.unreachableMs += gapMs;
    if (outcome === 'unknown') this.unknownMs += gapMs;
    if (outcome !== 'answered') return;
    if (this.isAnswered) {
      this.awaitedMs += gapMs;
      this.sinceKnownMs += gapMs;
    }
    this.isAnswered = true;
  }

  /** REST knows the job. */
  known(): void {
    this.sinceKnownMs = 0;
  }

  /** Neither history nor the status knows the job: since one of them did, its record has not trailed. */
  unknown(): void {
    this.awaitedMs -= this.sinceKnownMs;
    this.unknownMs += this.sinceKnownMs;
    this.sinceKnownMs = 0;
  }

  /** For how much longer to wait; not at all from 0 on. */
  leftMs({ patienceMs, maxUnreachableMs, maxUnknownMs }: WaitLimits): number {
    const countedMs =
      Math.max(0, this.unreachableMs - maxUnreachableMs) + Math.max(0, this.unknownMs - maxUnknownMs);
    return patienceMs - this.awaitedMs - countedMs;
  }
}
