import type { EventFault } from './event-fault.js';
import { neighbourPreview } from './neighbour-preview.js';
import type { EventData, ServiceMessage } from '../messages.js';

type ForeignFault = Extract<EventFault, { readonly do: 'foreign' }>;

/** What a neighbour on the same account would let everybody hear: whole jobs, from start to end. */
export const foreignMessages = (
  { jobs = 1, end = 'success', previews = 0, previewBytes = 1_000 }: ForeignFault,
  uuid: () => string,
): readonly ServiceMessage[] => {
  const preview: ServiceMessage = { kind: 'raw', wire: neighbourPreview(previewBytes) };
  return Array.from({ length: jobs }, () => {
    const id = { prompt_id: uuid() };
    return [
      event('execution_start', { ...id, timestamp: 0 }),
      event('executing', { node: '1', display_node: '1', ...id }),
      event('progress', { value: 1, max: 2, node: '1', ...id }),
      ...Array.from({ length: previews }, () => preview),
      ...(end === 'none' ? [] : [event(`execution_${end}`, { ...id, ...details[end], timestamp: 0 })]),
    ];
  }).flat();
};

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
