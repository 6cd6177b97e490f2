import type { Aspect, Untruth } from '../ledger.js';
import type { Played } from '../play.js';
import type { SimJob } from '../sim-jobs.js';
import { afterMs, truthMs } from './patience.js';

/** A stretch of time. */
export interface Stretch {
  readonly from: number;
  readonly until: number;
}

/** The answers that tell how a job stands: its record may be wrong where its status is right, and the other way round. */
export type Source = Exclude<Aspect, 'all'>;

/** When one source, or any of them, told no truth of a job, overlaps joined, in order. */
export const untruthsOf = (played: Played, promptId: string, source: Source | 'any'): readonly Stretch[] =>
  joined(
    played.backend.ledger.untruths.filter(
      (one) =>
        (one.promptId ?? promptId) === promptId &&
        (source === 'any' || one.of === 'all' || one.of === source),
    ),
  );

/** Whether a source told no truth of a job for so long in a row, up to a time. */
export const wasUntrueUntil = (
  played: Played,
  { promptId }: Pick<SimJob, 'promptId'>,
  source: Source,
  { at, ms }: { readonly at: number; readonly ms: number },
): boolean => untruthsOf(played, promptId, source).some(({ from, until }) => from <= at - ms && until >= at);

/** When the last fault was over that began before a time and concerned the job. */
export const lastFault = ({ backend }: Played, promptId: string, before: number): number =>
  Math.max(
    0,
    ...backend.ledger.untruths
      .filter((one) => one.isFault && one.from <= before && (one.promptId ?? promptId) === promptId)
      .map(({ until }) => until),
  );

/**
 * Whether a source told the truth of a job for long enough in a row that a client that asked from `since` on has to know it;
 * faults that began after the watcher settled count for nothing.
 */
export const couldBeHad = (
  played: Played,
  { promptId, endedAt = Infinity }: SimJob,
  source: Source,
  { since, settledAt = Infinity }: { readonly since: number; readonly settledAt?: number | undefined },
): boolean => {
  const openJobs = played.schedule.jobs.length;
  const from = Math.max(endedAt, since);
  const last = Math.max(from, lastFault(played, promptId, settledAt)) + afterMs(openJobs);
  return (
    firstTruth(untruthsOf(played, promptId, source), from, truthMs(openJobs)) + truthMs(openJobs) <= last
  );
};

/** When the first stretch without an untruth begins that is so long, from a time on. */
export const firstTruth = (untruths: readonly Stretch[], from: number, lengthMs: number): number => {
  let begin = from;
  for (const { from: start, until } of untruths) {
    if (until <= begin) continue;
    if (start - begin >= lengthMs) break;
    begin = until;
  }
  return begin;
};

const joined = (untruths: readonly Untruth[]): readonly Stretch[] => {
  const all: { from: number; until: number }[] = [];
  for (const { from, until } of [...untruths].sort((one, other) => one.from - other.from)) {
    const last = all.at(-1);
    if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until);
    else all.push({ from, until });
  }
  return all;
};
