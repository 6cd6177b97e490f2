import type { GraphNode } from '../scheduler/graph.js';
import type { ProgressDocument } from './documents.js';
import type { ServiceMessage } from '../messages.js';

/** Makes the snapshots of one job's progress from the engine's messages; the value never goes back. */
export interface ProgressTracker {
  readonly current: () => ProgressDocument | undefined;
  /** True if the message changed the progress. */
  readonly read: (message: ServiceMessage) => boolean;
}

/** A tracker of a job that runs these nodes. */
export const createProgressTracker = (nodes: ReadonlyMap<string, GraphNode>): ProgressTracker => {
  const done = new Set<string>();
  let running: { readonly nodeId: string; readonly step: number; readonly steps: number } | undefined;
  let text: string | undefined;
  let value = 0;
  let current: ProgressDocument | undefined;

  const update = (): true => {
    const share = running === undefined ? 0 : running.step / Math.max(1, running.steps);
    value = Math.max(value, Math.min(1, (done.size + share) / Math.max(1, nodes.size)));
    current = { value, nodes_done: done.size, nodes_total: nodes.size, ...nodeMembers() };
    return true;
  };
  const nodeMembers = (): Partial<ProgressDocument> => {
    if (running === undefined) return {};
    const { nodeId, step, steps } = running;
    const classType = nodes.get(nodeId)?.classType;
    return {
      current_node: nodeId,
      ...(classType === undefined ? {} : { current_node_class: classType }),
      step,
      steps,
      ...(text === undefined ? {} : { message: text }),
    };
  };
  const readNodes = (states: Readonly<Record<string, NodeState>>): void => {
    for (const [nodeId, { state, value: step, max: steps }] of Object.entries(states)) {
      if (state === 'finished') {
        if (nodes.has(nodeId)) done.add(nodeId);
        if (running?.nodeId === nodeId) running = undefined;
      } else {
        if (running?.nodeId !== nodeId) text = undefined;
        running = { nodeId, step, steps };
      }
    }
  };

  return {
    current: () => current,
    read: (message) => {
      if (message.kind === 'text') {
        text = message.text;
        return update();
      }
      if (message.kind !== 'event') return false;
      switch (message.type) {
        case 'execution_cached':
          for (const nodeId of message.data['nodes'] as readonly string[]) done.add(nodeId);
          return update();
        case 'progress_state':
          readNodes(message.data['nodes'] as Readonly<Record<string, NodeState>>);
          return update();
        default:
          return false;
      }
    },
  };
};

/** A node in the engine's `progress_state`. */
interface NodeState {
  readonly state: 'running' | 'finished';
  readonly value: number;
  readonly max: number;
}
