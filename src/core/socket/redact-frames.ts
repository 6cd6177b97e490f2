import type { Frame } from '../protocol/frames/frame.js';
import type { RedactValue } from '../redaction/redact-value.js';
import type { SocketData } from './open-socket.js';

/**
 * Takes secrets out of all texts of a frame: a service may quote the key that it was given wherever a text of it stands.
 *
 * A text frame costs one search of its message. Pictures, and the bytes of unknown frames, are not searched.
 */
export const withoutSecrets = (data: SocketData, frame: Frame, redactValue?: RedactValue): Frame =>
  redactValue === undefined || !hasTexts(frame)
    ? frame
    : redactValue(frame, typeof data === 'string' ? data : textsOf(frame));

/** All texts of a binary frame; undefined for the rare ones that are JSON. */
const textsOf = (frame: Frame): string | undefined => {
  switch (frame._tag) {
    case 'Text':
      return `${frame.promptId ?? ''}\n${frame.nodeId}\n${frame.text}`;
    case 'Preview':
      return JSON.stringify(frame.metadata);
    default:
      return undefined;
  }
};

/** What is shown of a malformed frame was cleaned when it was cut. */
const hasTexts = (frame: Frame): boolean =>
  frame._tag === 'Preview' ? frame.metadata !== undefined : frame._tag !== 'Malformed';
