import type { Played } from '../play.js';
import type { SimJob } from '../sim-jobs.js';
import type { Watcher } from '../watcher.js';

/** So long before a job was taken out, it may have been looked at last. */
const lookedAtMs = 40_000;
/** So long after it the next look has come. */
const looksAgainMs = 10_000;

/**
 * Whether a phase is right though the ledger's is another one, since nobody can tell them apart any more: a local server keeps
 * no trace of a job that was deleted, nor of a record that was cleared, and a restart looks like either.
 */
export const isUnknowable = (
  { connection, world }: Pick<Played, 'connection' | 'world'>,
  job: SimJob,
  { phase, watchers }: { readonly phase: string; readonly watchers: readonly Watcher[] },
): boolean => {
  const wasSaidToRun = watchers.some(({ states }) => states.some((state) => state.phase === 'in_progress'));
  if (job.isRecordCleared === true) return phase === 'cancelled' && !wasSaidToRun;
  if (job.leavesNoTrace !== true || phase !== 'untraceable') return false;
  const endedAt = job.endedAt ?? 0;
  const cameLater = watchers.every(({ since }) => since >= endedAt);
  const from = endedAt - lookedAtMs;
  // A machine that sleeps looks again when it wakes, and notices only then that its socket is gone.
  const awakeAt = Math.max(
    endedAt,
    ...world.ledger.untruths
      .filter((one) => one.isSleep === true && one.from < endedAt + looksAgainMs && one.until > endedAt)
      .map(({ until }) => until),
  );
  const wasWithoutSocket = connection.some(({ at, state }, index) => {
    const until = connection[index + 1]?.at ?? Infinity;
    return state._tag !== 'open' && at < awakeAt + looksAgainMs && until > from;
  });
  return cameLater || wasSaidToRun || wasWithoutSocket;
};
