import type { DurationStore } from '../../core/estimate/durations.js';
import type { JobPlan } from '../../core/state/job-plan.js';
import type { JobState } from '../../core/state/job-state.js';
import type { Platform } from '../../core/platform/platform.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** What the jobs of one client took, and what the next ones are expected to. */
export interface JobDurations {
  /** The plan of a job, and what learns from its states; undefined while this is still loaded, and for graphs of thousands of nodes. */
  readonly plan: (
    workflow: Workflow,
    nodeIds: readonly string[],
  ) => { readonly plan: JobPlan; readonly onState: (state: JobState) => void } | undefined;
  /** Takes the first {@link headBytes} of a picture that the service keeps under this name. */
  readonly uploaded: (name: string, head: Uint8Array) => void;
}

/** So many bytes from the start of a picture mostly tell its size. */
export const headBytes = 65_536;

/** Makes the durations of a client, which a store, if there is one, keeps for the next client. */
export type MakeDurations = (
  platform: Pick<Platform, 'clock'>,
  store: DurationStore | undefined,
) => JobDurations;
