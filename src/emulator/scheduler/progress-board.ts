import type { EventData } from '../messages.js';
import { event } from './events.js';
import type { ServiceMessage } from '../messages.js';

/** The started nodes of one job, as `progress_state` tells them: a whole snapshot each time. */
export interface ProgressBoard {
  readonly set: (nodeId: string, state: 'running' | 'finished', value: number, max: number) => ServiceMessage;
  /** Marks a node as finished with the value that it reached. */
  readonly finish: (nodeId: string) => ServiceMessage;
}

/** An empty board. */
export const createProgressBoard = (promptId: string): ProgressBoard => {
  const nodes = new Map<string, EventData & { readonly max: number }>();
  const set: ProgressBoard['set'] = (nodeId, state, value, max) => {
    nodes.set(nodeId, {
      value,
      max,
      state,
      node_id: nodeId,
      prompt_id: promptId,
      display_node_id: nodeId,
      parent_node_id: null,
      real_node_id: nodeId,
    });
    return event('progress_state', { prompt_id: promptId, nodes: Object.fromEntries(nodes) });
  };
  const finish = (nodeId: string): ServiceMessage => {
    const max = nodes.get(nodeId)?.max ?? 1;
    return set(nodeId, 'finished', max, max);
  };
  return { set, finish };
};
