import { isTerminal, type JobState } from '../state/job-state.js';

/**
 * What a job does. `waiting` is for its turn; it is `loading` while each of its running nodes loads a model, and `downloading` while one
 * fetches what it needs, or while files of the job are downloaded.
 */
export type ProgressStage = 'submitting' | 'waiting' | 'loading' | 'downloading' | 'running' | 'ended';

/** What a job does, by what its service says of its nodes and by its plan. */
export const stageOf = ({ phase, nodes, plan }: JobState): ProgressStage => {
  if (isTerminal(phase)) return 'ended';
  if (phase !== 'in_progress') return phase === 'pending' ? 'waiting' : phase;
  const running = Object.values(nodes).filter((node) => node.phase === 'running');
  if (running.some(({ activity }) => activity === 'downloading')) return 'downloading';
  const loads = ({ activity, displayNodeId }: (typeof running)[number]): boolean =>
    activity === 'loading' ||
    plan?.nodes.some((node) => node.loads && node.nodeId === displayNodeId) === true;
  return running.length > 0 && running.every(loads) ? 'loading' : 'running';
};
