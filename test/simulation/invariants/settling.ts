import type { Played } from '../play.js';
import type { Watcher } from '../watcher.js';

const settlesWithinMs = 60_000;
const requestsPerSecond = 5;
/** Two looks at a job that is gone are 30 s apart. */
const untraceableMs = 45_000;
/** The socket is awaited, the request has its deadline, and back-pressure may ask for two waits of 60 s. */
const submitsWithinMs = 10_000 + 60_000 + 120_000 + 10_000;

/** I1: each watcher settles in time, counted from the job's end and from the last trouble that REST had. */
export const lateSettlements = (played: Played): readonly string[] => {
  const { observed, world, disposedAt } = played;
  return observed.watchers.flatMap((watcher) => {
    if (watcher.leftAt() !== undefined || disposedAt !== undefined) return [];
    const bound = boundOf(played, watcher);
    const settledAt = watcher.settledAt() ?? world.clock.now();
    return settledAt > bound
      ? [
          `I1 job ${watcher.job} (${watcher.name}) settled ${Math.round(settledAt - bound)} ms too late, at ${Math.round(settledAt)}`,
        ]
      : [];
  });
};

const boundOf = ({ schedule, world }: Played, watcher: Watcher): number => {
  const promptId = watcher.states.at(-1)?.promptId ?? '';
  const job = world.jobs.byId.get(promptId);
  const { ledger } = world;
  const turns = (schedule.jobs.length * 1000) / requestsPerSecond;
  if (job === undefined) {
    return Math.max(watcher.since, ledger.troubledUntil) + submitsWithinMs;
  }
  const endedAt = job.endedAt ?? Infinity;
  const gone = job.hiddenUntil === Infinity ? untraceableMs : 0;
  const lag = Math.min(16_000, Math.max(0, (job.recordAt ?? 0) - endedAt));
  const troubled = Math.max(ledger.troubledUntil, ledger.jobTroubledUntil.get(promptId) ?? 0);
  return Math.max(endedAt, troubled, watcher.since) + settlesWithinMs + turns + gone + lag;
};
