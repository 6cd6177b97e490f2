import type { Frame } from '../protocol/frames/frame.js';
import { redactJson } from '../protocol/errors/redact-json.js';

/** Takes secrets out of what is told to people: a node that fails may quote the key that it was given. */
export const withoutSecrets = (frame: Frame, redact?: (text: string) => string): Frame =>
  redact !== undefined && frame._tag === 'Event' && isTold(frame.type)
    ? ({ ...frame, data: redactJson<unknown>(frame.data, redact) } as Frame)
    : frame;

/** These are rare; looking into every event would cost more than all the decoding. */
const isTold = (type: string): boolean => type === 'execution_error' || type === 'notification';
