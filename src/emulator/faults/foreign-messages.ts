import type { EventData, ServiceMessage } from '../messages.js';

/** What a neighbour on the same account would let everybody hear: whole jobs, from start to end. */
export const foreignMessages = (
  jobs: number,
  end: 'success' | 'error' | 'interrupted' | 'none',
  uuid: () => string,
): readonly ServiceMessage[] =>
  Array.from({ length: jobs }, () => {
    const id = { prompt_id: uuid() };
    return [
      event('execution_start', { ...id, timestamp: 0 }),
      event('executing', { node: '1', display_node: '1', ...id }),
      event('progress', { value: 1, max: 2, node: '1', ...id }),
      ...(end === 'none' ? [] : [event(`execution_${end}`, { ...id, ...details[end], timestamp: 0 })]),
    ];
  }).flat();

const event = (type: string, data: EventData): ServiceMessage => ({ kind: 'event', type, data });

const node = { node_id: '1', node_type: 'Neighbour', executed: [] };

const details = {
  success: {},
  interrupted: node,
  error: {
    ...node,
    exception_type: 'NeighbourError',
    exception_message: 'a job of somebody else failed',
    traceback: [],
    current_inputs: {},
    current_outputs: {},
  },
} as const;
