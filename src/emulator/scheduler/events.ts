import type { EventData, ServiceMessage } from '../messages.js';
import type { Job } from './job.js';
import type { Switches } from '../options.js';

/** `status`: how many jobs run or wait; `sid` only in the first message of a socket. */
export const statusEvent = (
  remaining: number,
  { statusEvent: shape }: Switches,
  sid?: string,
): ServiceMessage =>
  event(
    'status',
    shape === 'flat'
      ? { queue_remaining: remaining }
      : { status: { exec_info: { queue_remaining: remaining } }, ...(sid === undefined ? {} : { sid }) },
  );

/** The last `executing` of a run, or nothing where the switch says so. */
export const executingEnd = (job: Job, { executingEnd: shape }: Switches): ServiceMessage | undefined => {
  if (shape === 'never') return undefined;
  const node = { null: { node: null }, empty: { node: '' }, absent: {} }[shape];
  return event('executing', { ...node, prompt_id: job.id });
};

/** Any other text message. */
export const event = (type: string, data: EventData): ServiceMessage => ({ kind: 'event', type, data });

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
