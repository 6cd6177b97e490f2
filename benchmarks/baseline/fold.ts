import type { EventFrame } from '../../src/core/protocol/frames/frame.js';
import type { JobState, NodeState } from '../../src/core/state/job-state.js';

/**
 * The floor: a switch over parsed events that makes each next state, as whoever shows it needs a new value. No check, no
 * duplicate or late event, no other job.
 */
export const floorFold = (state: JobState, event: EventFrame): JobState => {
  switch (event.type) {
    case 'execution_start':
      return {
        ...state,
        promptId: event.data.prompt_id,
        phase: 'in_progress',
        startedAt: event.data.timestamp as number,
      };
    case 'execution_cached':
      return put(
        state,
        (event.data.nodes as string[]).map((nodeId) => ({
          ...begun(nodeId),
          phase: 'cached',
          fraction: 1,
        })),
      );
    case 'executing': {
      const running = Object.values(state.nodes).filter(({ phase }) => phase === 'running');
      return put(state, [...running.map(finished), begun(event.data.node as string)]);
    }
    case 'progress': {
      const { node, value, max } = event.data as { node: string; value: number; max: number };
      return put(state, [{ ...(state.nodes[node] ?? begun(node)), value, max, fraction: value / max }]);
    }
    case 'executed': {
      const { node, output } = event.data as { node: string; output: JobState['outputs'][string] };
      return {
        ...put(state, [finished(state.nodes[node] ?? begun(node))]),
        outputs: { ...state.outputs, [node]: output },
      };
    }
    case 'execution_success':
      return { ...state, phase: 'completed', progress: 1, endedAt: event.data.timestamp as number };
    default:
      return state;
  }
};

const begun = (nodeId: string): NodeState => ({
  nodeId,
  displayNodeId: nodeId,
  phase: 'running',
  value: 0,
  max: 0,
  fraction: 0,
});

const finished = (node: NodeState): NodeState => ({
  ...node,
  phase: 'finished',
  value: node.max,
  fraction: 1,
});

const put = (state: JobState, put: readonly NodeState[]): JobState => {
  const nodes: Record<string, NodeState> = { ...state.nodes };
  for (const node of put) nodes[node.nodeId] = node;
  let seen = 0;
  let done = 0;
  for (const nodeId in nodes) {
    seen += 1;
    done += nodes[nodeId]?.fraction ?? 0;
  }
  return { ...state, nodes, progress: Math.max(state.progress, Math.min(0.99, done / (seen + 1))) };
};
