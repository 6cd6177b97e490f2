import { putNodes, runningAs } from './nodes.js';
import type { JobFailure } from './failure.js';
import type { JobState, TerminalPhase } from './job-state.js';
import { withoutMember } from './without-member.js';

/** A state whose job is over though no event of it says so: none of its nodes runs any more. */
export const endedAs = (state: JobState, phase: TerminalPhase, failure?: JobFailure): JobState => ({
  ...withoutMember(putNodes(state, runningAs(state, 'stopped')), 'plan'),
  phase,
  ...(failure !== undefined && { failure }),
});
