import type { JobState } from './job-state.js';

/** The nodes of a job of which none is known yet: one for all, since most of a new job's memory would be its own empty one. */
export const noNodes: JobState['nodes'] = /* @__PURE__ */ Object.freeze(
  Object.create(null) as JobState['nodes'],
);
