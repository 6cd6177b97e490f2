import { copyState } from './copy-state.js';
import type { JobState } from './job-state.js';

/** The state with another value of one member. */
export const withMember = <Key extends keyof JobState>(
  state: JobState,
  key: Key,
  value: JobState[Key],
): JobState => {
  const next = copyState(state);
  next[key] = value;
  return next;
};
