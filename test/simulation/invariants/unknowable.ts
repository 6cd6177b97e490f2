import type { Played } from '../play.js';
import type { SimJob } from '../sim-jobs.js';
import type { Watcher } from '../watcher.js';
import { untraceableAfterMs } from './patience.js';
import { wasUntrueUntil } from './truth.js';

/** So long before a job was taken out, it may have been looked at last, and so long after it the next look may come. */
const looksEveryMs = 40_000;

/** What a client ended a job as, and all that watched it. */
export interface Ended {
  readonly phase: string;
  readonly settledAt: number;
  readonly watchers: readonly Watcher[];
}

/** Whether a phase is right though the ledger's is another one, since no client can tell them apart. */
export const isUnknowable = (played: Played, job: SimJob, ended: Ended): boolean =>
  isStillHidden(played, job, ended) ||
  isRecordCleared(played, job, ended) ||
  isRemoved(played, job, ended) ||
  isLostAfterCancel(played, job, ended);

/** The service has known nothing for two minutes of a job that it goes on with later. */
const isStillHidden = (played: Played, job: SimJob, { phase, settledAt }: Ended): boolean =>
  phase === 'untraceable' &&
  (job.endedAt ?? Infinity) > settledAt &&
  (['status', 'record'] as const).every((source) =>
    wasUntrueUntil(played, job, source, { at: settledAt, ms: untraceableAfterMs }),
  );

/**
 * A local server whose history was cleared has no trace of a job, as if it had been deleted while it waited; not to a client
 * that one of the job's frames has reached since it watches, since a job that waits sends none.
 */
const isRecordCleared = (
  { backend }: Played,
  { isRecordCleared: isCleared, promptId }: SimJob,
  ended: Ended,
): boolean =>
  isCleared === true &&
  ended.phase === 'cancelled' &&
  !wasSaidToRun(ended) &&
  (backend.ledger.lastFrameAt.get(promptId) ?? -Infinity) <
    Math.min(...ended.watchers.map(({ since }) => since));

/**
 * A local server has no trace of a job that was deleted, and a restart looks the same, so that it is `untraceable` to a client
 * that came later, that knew it to run, or that had no socket for a while. A job that the client knew before it was deleted,
 * and that the server still has, shows that there was no restart.
 */
const isRemoved = (played: Played, job: SimJob, ended: Ended): boolean => {
  const { phase, settledAt, watchers } = ended;
  if (job.leavesNoTrace !== true || phase !== 'untraceable') return false;
  const endedAt = job.endedAt ?? 0;
  if (watchers.every(({ since }) => since >= endedAt) || wasSaidToRun(ended)) return true;
  // A machine that sleeps looks again when it wakes, and notices only then that its socket is gone.
  const awakeAt = Math.max(
    endedAt,
    ...played.backend.ledger.untruths
      .filter((one) => one.isSleep === true && one.from < endedAt + looksEveryMs && one.until > endedAt)
      .map(({ until }) => until),
  );
  const wasWithoutSocket = played.connection.some(({ at, state }, index) => {
    const until = played.connection[index + 1]?.at ?? Infinity;
    return state._tag !== 'open' && at < awakeAt + looksEveryMs && until > endedAt - looksEveryMs;
  });
  return wasWithoutSocket && !hasWitness(played, job, settledAt);
};

/** Whether the server has kept a job from before this one was deleted, which the client had submitted. */
const hasWitness = ({ backend }: Played, job: SimJob, settledAt: number): boolean =>
  [...backend.jobs.byId.values()].some(
    (other) =>
      other !== job &&
      other.plan.via !== 'follow' &&
      other.acceptedAt < (job.endedAt ?? 0) - looksEveryMs &&
      other.leavesNoTrace !== true &&
      (other.hiddenUntil !== Infinity || other.hiddenSince > settledAt),
  );

/** A local server that is restarted loses what it was asked to cancel: no source says whether that worked. */
const isLostAfterCancel = ({ backend }: Played, job: SimJob, ended: Ended): boolean =>
  ended.phase === 'cancelled' &&
  job.phase === 'in_progress' &&
  job.hiddenUntil === Infinity &&
  !wasSaidToRun(ended) &&
  backend.ledger.requests.some(
    ({ route, promptId, status, settledAt = Infinity }) =>
      route === 'cancel' && promptId === job.promptId && status === 200 && settledAt <= job.hiddenSince,
  );

const wasSaidToRun = ({ watchers }: Ended): boolean =>
  watchers.some(({ states }) => states.some((state) => state.phase === 'in_progress'));
