import type { V2Progress } from './documents.js';
import type { GatewayJob } from '../model/gateway-jobs.js';
import { isTerminal, type NodeState } from '../../../core/state/job-state.js';

/** Writes how far a job is; null until it runs, and for a job that ended before it ran. */
export const progressDocument = ({ record, state }: GatewayJob): V2Progress | null => {
  const { phase, progress, nodeCount = 0 } = state;
  const nodes = Object.values(state.nodes);
  const isOver = isTerminal(phase);
  if (phase !== 'in_progress' && phase !== 'completed' && nodes.length === 0) return null;
  const total = Math.max(nodeCount, nodes.length);
  const done =
    phase === 'completed'
      ? total
      : nodes.filter((node) => node.phase === 'finished' || node.phase === 'cached').length;
  const current = isOver ? undefined : nodes.findLast((node) => node.phase === 'running');
  return {
    value: phase === 'completed' ? 1 : Math.min(1, Math.max(0, progress)),
    nodes_done: done,
    nodes_total: total,
    ...(current && currentNode(current, record.workflow)),
  };
};

const currentNode = (
  { nodeId, displayNodeId, value, max, text }: NodeState,
  workflow: GatewayJob['record']['workflow'],
): Partial<V2Progress> => {
  const shown = Object.hasOwn(workflow, displayNodeId) ? displayNodeId : nodeId;
  const className = Object.hasOwn(workflow, shown) ? workflow[shown]?.class_type : undefined;
  return {
    current_node: shown,
    ...(className !== undefined && { current_node_class: className }),
    ...(max > 0 && { step: Math.floor(value), steps: Math.ceil(max) }),
    ...(text !== undefined && text !== '' && { message: text }),
  };
};
