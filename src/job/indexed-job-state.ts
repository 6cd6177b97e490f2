import type { JobState } from '../protocol/state/job-state.js';

/** A state of one job of `runAll`. */
export interface IndexedJobState {
  /** Position of its workflow, from 0. */
  readonly index: number;
  /** The `label` of its submission, where there is one. */
  readonly label?: string;
  readonly state: JobState;
}
