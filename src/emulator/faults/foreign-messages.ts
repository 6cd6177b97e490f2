import type { EventFault } from './event-fault.js';
import type { EventData, ServiceMessage } from '../messages.js';

type ForeignFault = Extract<EventFault, { readonly do: 'foreign' }>;

/** What a neighbour on the same account would let everybody hear: whole jobs, from start to end. */
export const foreignMessages = (
  { jobs = 1, end = 'success', previews = 0, previewBytes = 1_000 }: ForeignFault,
  uuid: () => string,
): readonly ServiceMessage[] =>
  Array.from({ length: jobs }, () => {
    const id = { prompt_id: uuid() };
    return [
      event('execution_start', { ...id, timestamp: 0 }),
      event('executing', { node: '1', display_node: '1', ...id }),
      event('progress', { value: 1, max: 2, node: '1', ...id }),
      ...Array.from({ length: previews }, () => preview(previewBytes)),
      ...(end === 'none' ? [] : [event(`execution_${end}`, { ...id, ...details[end], timestamp: 0 })]),
    ];
  }).flat();

/** Type 1, kind JPEG, and as much of a picture as was asked for. */
const preview = (size: number): ServiceMessage => {
  const picture = Buffer.alloc(size);
  picture.set([0xff, 0xd8, 0xff].slice(0, size));
  return { kind: 'raw', wire: Buffer.concat([Buffer.of(0, 0, 0, 1, 0, 0, 0, 1), picture]) };
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
