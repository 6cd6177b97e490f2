import type { JobDurations, MakeDurations } from './durations-of-client.js';

/**
 * Loads what plans jobs when the client is made: a page that runs a job does not wait for it, and without it, or where it can't be
 * loaded, jobs have no plan.
 */
export const lazyDurations: MakeDurations = (platform, store) => {
  let loaded: JobDurations | undefined;
  import('./job-durations.js').then(
    ({ jobDurations }) => (loaded = jobDurations(platform, store)),
    () => undefined,
  );
  return {
    plan: (workflow, nodeIds) => loaded?.plan(workflow, nodeIds),
    uploaded: (name, head) => loaded?.uploaded(name, head),
  };
};
