import type { JobPlan } from '../state/job-plan.js';
import type { JobState } from '../state/job-state.js';
import type { JobTimes } from './job-times.js';

/** What the nodes that the plan doesn't list still take, in milliseconds: those left, each as long as the ended ones took on average. */
export const restOf = ({ nodes, restMs = 0 }: JobPlan, state: JobState, times: JobTimes): number => {
  const planned = new Set(nodes.map(({ nodeId }) => nodeId));
  const count = (state.nodeCount ?? 0) - planned.size;
  if (restMs === 0 || count <= 0) return restMs * (1 - state.progress);
  const each = restMs / count;
  let [ended, seen, seenMs] = [0, 0, 0];
  for (const [nodeId, { from, to, isWhole }] of times.nodes) {
    if (to === undefined || planned.has(nodeId)) continue;
    ended += 1;
    if (!isWhole || state.nodes[nodeId]?.phase === 'cached') continue;
    seen += 1;
    seenMs += Math.min(maxTimes * each, to - from);
  }
  return (Math.max(0, count - ended) * (trusted * each + seenMs)) / (trusted + seen);
};

/** The plan counts as much as so many nodes that have ended. */
const trusted = 10;

/** A node that takes longer than this many times its share is no usual one, and says nothing of the others. */
const maxTimes = 3;
