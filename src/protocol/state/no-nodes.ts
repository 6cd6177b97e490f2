import type { JobState } from './job-state.js';

/**
 * The nodes of a job of which none is known yet: one for all, since most of a new job's memory would be its own empty one.
 *
 * Made as nodes are copied, which keeps what V8 has compiled for them while no job is there.
 */
export const noNodes: JobState['nodes'] = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.setPrototypeOf({}, null) as JobState['nodes'],
);
