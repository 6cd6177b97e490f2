import type { StatusAnswer } from './fetch-status.js';

/**
 * What the polls of one job have been answered since a source last reported it.
 *
 * Only time between two polls that were both answered counts, and at most 30 s of it: what a page was hidden for, a machine
 * slept or a network was down is no time in which the service could have reported the job.
 */
export interface AnswerRecord {
  /** When the first of these polls was answered, by the monotonic clock. */
  readonly since: number;
  readonly polls: number;
  readonly misses: number;
  /** Whether the latest answer was a miss. */
  readonly isMissing: boolean;
  /** Counted time for which the job was missing. */
  readonly missingMs: number;
  /** Counted time for which the service answered for other things meanwhile. */
  readonly elsewhereMs: number;
  /** Counted time in which nothing was answered about the job that makes sense. */
  readonly oddMs: number;
  /** Counted time for which it was missing while the service knew none of the other jobs either. */
  readonly goneMs: number;
  /** Whether the service knows none of the other jobs either. */
  readonly isRouteGone: boolean;
  /** When the latest poll was answered; undefined after one that was not. */
  readonly answeredAt: number | undefined;
  /** When the service answered for other things the last time in a row. */
  readonly elsewhereAt: number | undefined;
}

/** The limits by which {@link verdictOf} gives up a job. */
export interface AnswerLimits {
  /** Whether any source has ever reported the job. */
  readonly wasSeen: boolean;
  /** Counted time of misses after which a job that no source reported is given up. */
  readonly notFoundMs: number;
  /** Counted time for which the service has to answer for other things before any other job is given up. */
  readonly elsewhereMs: number;
}

/** Two misses of a job that a source reported have to be this far apart. */
const untraceableMs = 30_000;
const protocolChangedMs = 300_000;
/** The most that one gap between two answered polls counts; polls come more often while a job is missing. */
const countedMs = 30_000;
const firstPollMs = 2_000;
const pollGrowth = 1.5;
const pollCapMs = 20_000;
const shortestMs = 500;

/** The latest answer knew the job. */
export const noMisses: AnswerRecord = {
  since: Infinity,
  polls: 0,
  misses: 0,
  isMissing: false,
  missingMs: 0,
  elsewhereMs: 0,
  oddMs: 0,
  goneMs: 0,
  isRouteGone: false,
  answeredAt: undefined,
  elsewhereAt: undefined,
};

/** Adds what a poll was answered. */
export const afterAnswer = (record: AnswerRecord, kind: StatusAnswer['kind'], now: number): AnswerRecord => {
  if (kind === 'found') return noMisses;
  if (kind === 'failed' || kind === 'final') {
    return record === noMisses
      ? record
      : { ...afterPause(record), isMissing: false, polls: record.polls + 1 };
  }
  const passed = counted(record.answeredAt, now);
  const isMissing = kind === 'missing';
  return {
    ...record,
    since: Math.min(record.since, now),
    polls: record.polls + 1,
    misses: record.misses + (isMissing ? 1 : 0),
    isMissing,
    missingMs: record.missingMs + (isMissing ? passed : 0),
    oddMs: record.oddMs + (isMissing ? 0 : passed),
    goneMs: record.goneMs + (isMissing && record.isRouteGone ? passed : 0),
    answeredAt: now,
  };
};

/** Adds whether the service answered for other things: `found` where it did, `missing` or `odd` where it does not know them. */
export const afterElsewhere = (
  record: AnswerRecord,
  kind: StatusAnswer['kind'],
  now: number,
): AnswerRecord => {
  if (kind === 'failed' || kind === 'final') return { ...record, elsewhereAt: undefined };
  if (kind !== 'found') return { ...record, isRouteGone: true, elsewhereAt: undefined };
  return {
    ...record,
    isRouteGone: false,
    goneMs: 0,
    elsewhereMs: record.elsewhereMs + counted(record.elsewhereAt, now),
    elsewhereAt: now,
  };
};

/** Counts nothing of the time since the latest poll: timers did not run, or the service did not answer. */
export const afterPause = (record: AnswerRecord): AnswerRecord =>
  record === noMisses ? record : { ...record, answeredAt: undefined, elsewhereAt: undefined };

/** Whether it is time to ask for other things: a job that is missing for a moment only is not worth a request. */
export const asksElsewhere = ({ misses, elsewhereAt }: AnswerRecord, now: number): boolean =>
  misses >= 2 && now - (elsewhereAt ?? -Infinity) >= pollCapMs;

/** What the answers so far amount to; undefined while polling has to go on. */
export const verdictOf = (
  { isMissing, missingMs, elsewhereMs, oddMs, goneMs }: AnswerRecord,
  limits: AnswerLimits,
): 'NotFound' | 'Untraceable' | 'ProtocolChanged' | undefined => {
  if (oddMs + goneMs >= protocolChangedMs) return 'ProtocolChanged';
  if (!isMissing) return undefined;
  if (!limits.wasSeen) return missingMs >= limits.notFoundMs ? 'NotFound' : undefined;
  return missingMs >= untraceableMs && elsewhereMs >= limits.elsewhereMs ? 'Untraceable' : undefined;
};

/** When to poll next because of the answers so far, which may be due to a flicker; undefined if nothing is amiss. */
export const nextPollMs = (record: AnswerRecord, limits: AnswerLimits): number | undefined => {
  if (record.polls === 0) return undefined;
  const delayMs = Math.min(pollCapMs, firstPollMs * pollGrowth ** Math.max(0, record.polls - 2));
  const leftMs = (limits.wasSeen ? untraceableMs : limits.notFoundMs) - record.missingMs;
  return leftMs > 0 && record.misses > 0 ? Math.min(delayMs, Math.max(shortestMs, leftMs)) : delayMs;
};

const counted = (from: number | undefined, now: number): number =>
  from === undefined ? 0 : Math.min(countedMs, now - from);
