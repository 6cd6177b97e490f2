import type { Frame } from '../frames/frame.js';
import { isJsonObject } from '../json/json.js';
import { peekText } from './peek-text.js';

/**
 * Whether a frame shows, on a server that runs one job at a time, that the job before has ended: another one starts, or the
 * queue is empty. For a job that was submitted without a client id it is the only sign of its end.
 */
export const endsOthers = (frame: Frame): boolean => {
  if (frame._tag !== 'Event') return false;
  if (frame.type === 'execution_start') return frame.promptId !== undefined;
  return queueLength(frame) === 0;
};

/** How many jobs run or wait, where a frame tells it. */
export const queueLength = (frame: Frame): number | undefined => {
  if (frame._tag !== 'Event' || frame.type !== 'status' || !isJsonObject(frame.data)) return undefined;
  const length = remaining(frame.data);
  return typeof length === 'number' ? length : undefined;
};

/** Whether a message may be such a `status`, without parsing it. */
export const mayEndOthers = (data: string | ArrayBuffer): boolean =>
  typeof data === 'string' && peekText(data).type === 'status';

/** The length of the queue, which is nested on the wire and flat in the interface document. */
const remaining = (data: Readonly<Record<string, unknown>>): unknown => {
  const status = isJsonObject(data['status']) ? data['status'] : data;
  const info = isJsonObject(status['exec_info']) ? status['exec_info'] : status;
  return info['queue_remaining'];
};
