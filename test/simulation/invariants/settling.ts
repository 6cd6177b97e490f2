import type { Played } from '../play.js';
import type { Watcher } from '../watcher.js';
import { isLook } from './last-state.js';
import {
  changedAfterMs,
  givesUpWithinMs,
  missedWithinMs,
  msPerJob,
  recordAwaitedMs,
  settlesWithinMs,
  submitsWithinMs,
} from './patience.js';
import { firstTruth, lastFault, untruthsOf } from './truth.js';

/** I1: each watcher settles in time, counted from the job's end and from when the truth could be had. */
export const lateSettlements = (played: Played): readonly string[] => {
  const { observed, backend, disposedAt } = played;
  return observed.watchers.flatMap((watcher) => {
    if (watcher.leftAt() !== undefined || disposedAt !== undefined) return [];
    const bound = boundOf(played, watcher);
    const settledAt = watcher.settledAt() ?? backend.clock.now();
    return settledAt > bound
      ? [
          `I1 job ${watcher.job} (${watcher.name}) settled ${Math.round(settledAt - bound)} ms too late, at ${Math.round(settledAt)}`,
        ]
      : [];
  });
};

const boundOf = (played: Played, watcher: Watcher): number => {
  const { schedule, backend } = played;
  const promptId = watcher.states.at(-1)?.promptId ?? '';
  // A watcher that came by the id of a job may have seen no state of it; the job was there all the same.
  const cameById = isLook(watcher.name) || watcher.name === 'follow';
  const job = backend.jobs.byId.get(promptId) ?? (cameById ? backend.jobsOfPlan(watcher.job)[0] : undefined);
  const openJobs = schedule.jobs.length;
  if (job === undefined)
    return Math.max(watcher.since, lastFault(played, '', watcher.settledAt() ?? Infinity)) + submitsWithinMs;
  const from = Math.max(job.endedAt ?? Infinity, watcher.since);
  const waits = settlesWithinMs(openJobs);
  const dueAt = firstTruth(untruthsOf(played, job.promptId, 'any'), from, waits) + waits;
  // Where a route is odd for good, it takes longer until a sensible answer is no longer to be expected.
  const isOdd = backend.ledger.untruths.some(
    (one) => one.until === Infinity && !one.isFault && one.promptId === undefined,
  );
  const changed = isOdd ? changedAfterMs : 0;
  const gone =
    Math.max(from, lastFault(played, job.promptId, watcher.settledAt() ?? Infinity)) +
    givesUpWithinMs(openJobs) +
    changed;
  // What only events reported is awaited in the record, from when that can be read.
  if (job.plan.files === 'events')
    return dueAt === Infinity ? gone : Math.max(gone, dueAt + recordAwaitedMs + openJobs * msPerJob);
  const isMissed = job.leavesNoTrace === true && watcher.end()?.phase === 'untraceable';
  return Math.min(isMissed ? dueAt - waits + missedWithinMs + openJobs * msPerJob : dueAt, gone);
};
