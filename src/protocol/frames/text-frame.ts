import { type EventFrame, type Frame, malformed } from './frame.js';
import { eventShapes } from '../generated/shapes.js';
import { isEventData } from '../generated/is-event-data.js';
import { isJsonObject, tooManyValues } from '../json/json.js';
import { parseJson } from '../json/parse-json.js';
import { sampleOf } from '../../redaction/redact.js';
import { shapeProblem } from '../json/shape-problem.js';

/**
 * Decodes a text message: JSON with a `type`, checked by the guard that is generated from that type's codec
 * (docs/protocol.md, chapter 6).
 *
 * Total, like `decodeFrame`. The `data` of the result is the parsed value, not a copy. A message of more than 250,000 values
 * is not parsed.
 */
export const decodeText = (text: string, options: DecodeFrameOptions): Frame => {
  if (tooManyValues(text)) return refuse('it holds too many values', text, text.length, options);
  const message = parseJson(text);
  return message === undefined
    ? refuse('not valid JSON of at most 64 levels', text, text.length, options)
    : decodeMessage(message, text, text.length, options);
};

/** Decodes a message that was parsed from `text`; `size` is the size of its frame. */
export const decodeMessage = (
  message: unknown,
  text: string,
  size: number,
  options: DecodeFrameOptions,
): Frame => {
  if (!isJsonObject(message)) return refuse('the message should be an object', text, size, options);
  const { type, data } = message;
  if (typeof type !== 'string') return refuse('type should be a string', text, size, options);
  const promptId = promptIdOf(data);
  const isGood = isEventData(type, data);
  if (isGood === undefined) {
    return promptId === undefined
      ? { _tag: 'Unknown', kind: 'text', type, message }
      : { _tag: 'Unknown', kind: 'text', type, promptId, message };
  }
  if (!isGood) {
    // The guard only rejects; the shape, generated from the same codec, says why.
    return refuse(`${type}: ${shapeProblem(eventShapes[type] ?? '*', data)}`, text, size, options);
  }
  // The guard of this `type` accepted `data`; the compiler can't relate the two.
  return (
    promptId === undefined ? { _tag: 'Event', type, data } : { _tag: 'Event', type, promptId, data }
  ) as EventFrame;
};

const promptIdOf = (data: unknown): string | undefined => {
  const id = isJsonObject(data) ? data['prompt_id'] : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
};

/** The reason is redacted as well: it may contain keys of the message. */
const refuse = (reason: string, text: string, size: number, { redact }: DecodeFrameOptions): Frame =>
  malformed(sampleOf(reason, 200, redact), size, sampleOf(text, 80, redact));

/** Options of `decodeFrame`. */
export interface DecodeFrameOptions {
  /**
   * The layout of binary type 3: `true` where the server announced `supports_progress_text_metadata` (a prompt id comes
   * first), `false` where it did not. By default a first id that is a UUID and precedes a second id counts as a prompt id.
   */
  readonly promptText?: boolean | undefined;
  /** Removes secrets from the sample of a malformed frame before it is shortened; see `redactor`. */
  readonly redact?: ((text: string) => string) | undefined;
}
