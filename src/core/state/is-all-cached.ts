import type { JobState } from './job-state.js';

/** Whether every node of a job that has reported was cached. */
export const isAllCached = ({ nodes }: JobState): boolean => {
  const named = Object.values(nodes);
  return named.length > 0 && named.every(({ phase }) => phase === 'cached');
};
