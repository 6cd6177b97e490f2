import type { JobProgress, JobStatusMembers } from './job-log-event.js';
import type { JobState } from '../state/job-state.js';

/** The members of a state that tell where the job stands. */
export const statusOf = (state: JobState): JobStatusMembers =>
  Object.fromEntries(
    Object.entries(state).filter(([name]) => !otherMembers.has(name)),
  ) as unknown as JobStatusMembers;

const otherMembers: ReadonlySet<string> = new Set<Exclude<keyof JobState, keyof JobStatusMembers>>([
  'nodes',
  'nodeCount',
  'plan',
  'exactNodes',
  'progress',
  'outputs',
]);

/** The members of a state that tell how far the job is. */
export const progressOf = ({ nodes, nodeCount, plan, exactNodes, progress }: JobState): JobProgress => ({
  nodes,
  ...(nodeCount !== undefined && { nodeCount }),
  ...(plan !== undefined && { plan }),
  ...(exactNodes !== undefined && { exactNodes }),
  progress,
});
