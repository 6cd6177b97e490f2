import type { JobState } from '../protocol/state/job-state.js';

/** A state of one job of `runAll`. */
export interface IndexedJobState {
  /** Position of its workflow, from 0. */
  readonly index: number;
  readonly state: JobState;
}
