import { type Event, type Frame, malformed } from './frame.js';
import { eventShapes } from '../generated/shapes.js';
import { isEventData } from '../generated/is-event-data.js';
import { isJsonObject, tooManyValues } from '../json/json.js';
import { parseJson } from '../json/parse-json.js';
import { sampleOf } from '../../redaction/redact.js';
import { shapeProblem } from '../json/shape-problem.js';

/**
 * Decodes a text message: JSON with a `type`, checked by the guard made from that type's codec (docs/protocol.md,
 * chapter 6).
 *
 * The `data` of the result is what was parsed, not a copy. Total, like `decodeFrame`. A message of more than a quarter of a
 * million values is not read.
 */
export const decodeText = (text: string, options: DecodeFrameOptions): Frame => {
  if (tooManyValues(text)) return refuse('it holds too many values', text, text.length, options);
  const message = parseJson(text);
  return message === undefined
    ? refuse('not valid JSON of at most 64 levels', text, text.length, options)
    : decodeMessage(message, text, text.length, options);
};

/** Decodes a message that was parsed from `text`; `size` is that of the frame it came in. */
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
    // Guards only say no; the shape that was made from the same codec says why.
    return refuse(`${type}: ${shapeProblem(eventShapes[type] ?? '*', data)}`, text, size, options);
  }
  // The guard of this `type` accepted `data`, which the compiler can't follow from one to the other.
  return (
    promptId === undefined ? { _tag: 'Event', type, data } : { _tag: 'Event', type, promptId, data }
  ) as Event;
};

const promptIdOf = (data: unknown): string | undefined => {
  const id = isJsonObject(data) ? data['prompt_id'] : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
};

/** The reason is cleaned as well: it may name keys of the message. */
const refuse = (reason: string, text: string, size: number, { redact }: DecodeFrameOptions): Frame =>
  malformed(sampleOf(reason, 200, redact), size, sampleOf(text, 80, redact));

/** What `decodeFrame` may be told. */
export interface DecodeFrameOptions {
  /**
   * How binary type 3 is laid out: `true` where the server announced `supports_progress_text_metadata` (a prompt id
   * comes first), `false` where it did not. Without it a first id that is a UUID, with a second one after it, is taken
   * for a prompt id.
   */
  readonly promptText?: boolean | undefined;
  /** Removes secrets from the sample of a malformed frame before it is shortened; see `redactor`. */
  readonly redact?: ((text: string) => string) | undefined;
}
