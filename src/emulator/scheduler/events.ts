import type { EventData, ServiceMessage } from '../messages.js';
import type { Switches } from '../options.js';
import type { Job } from './job.js';

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
