import type { LedgerJob } from '../../../src/emulator.js';

/** The most jobs of a service that were accepted and had not ended. */
export const maxAtOnce = (jobs: readonly Pick<LedgerJob, 'createdAt' | 'endedAt'>[]): number => {
  const changes = jobs
    .flatMap(({ createdAt, endedAt = Infinity }) => [
      { at: createdAt, by: 1 },
      { at: endedAt, by: -1 },
    ])
    // A job that begins in the millisecond in which another one ends takes its place.
    .toSorted((a, b) => a.at - b.at || a.by - b.by);
  let [now, most] = [0, 0];
  for (const { by } of changes) most = Math.max(most, (now += by));
  return most;
};
