import { bytesOf, textOf } from './read-bytes.js';
import { decodeBinary, unknownBinary } from './binary-frame.js';
import { type EventFrame, type Frame, malformed } from './frame.js';
import { eventShapes } from '../generated/shapes.js';
import { isEventData } from '../generated/is-event-data.js';
import { isJsonObject, isJsonSpace, tooManyValues } from '../json/json.js';
import { mayLoseNumbers, parseAsSent } from '../json/exact-json.js';
import { parseJson } from '../json/parse-json.js';
import { sampleOf } from '../../redaction/redact.js';
import { shapeProblem } from '../json/shape-problem.js';

/**
 * Decodes one message of the socket, text or binary, into one `Frame`.
 *
 * It is total: every input gives a value, and nothing throws. An unreadable message is `Malformed`, one of an unknown type is
 * `Unknown`. It takes time linear in the message's size. Pictures are views on the given bytes, valid as long as the caller
 * does not change those bytes. Text messages keep unknown members; bare `NaN` and `Infinity` in them become null, but in `executed`,
 * which holds outputs, numbers stay as sent, and integers beyond 2^53 are `bigint`. JSON in a binary message is decoded like text
 * (docs/protocol.md, chapters 6 and 7).
 *
 * @example
 * ```ts
 * import { decodeFrame } from 'promptwire';
 *
 * const frame = decodeFrame('{"type": "executing", "data": {"node": "3", "prompt_id": "p1"}}');
 * if (frame._tag === 'Event' && frame.type === 'executing') console.log(frame.promptId, frame.data.node);
 * ```
 */
export const decodeFrame = (
  data: string | ArrayBuffer | Uint8Array,
  options: DecodeFrameOptions = noOptions,
): Frame => {
  if (typeof data === 'string') return decodeText(data, options);
  const bytes = bytesOf(data);
  if (bytes === undefined) return malformed('neither text nor readable bytes', 0, '');
  return decodeBinary(bytes, options.promptText) ?? decodeJsonBytes(bytes, options) ?? unknownBinary(bytes);
};

/** Options of `decodeFrame`. */
export interface DecodeFrameOptions {
  /**
   * The layout of binary type 3: `true` if the server announced `supports_progress_text_metadata` (a prompt id comes
   * first), `false` if it did not. By default a first id that is a UUID and precedes a second id counts as a prompt id.
   */
  readonly promptText?: boolean | undefined;
  /** Removes secrets from the sample of a malformed frame before it is shortened; see `redactor`. */
  readonly redact?: ((text: string) => string) | undefined;
}

const noOptions: DecodeFrameOptions = {};

/**
 * Decodes a text message: JSON with a `type`, checked by the guard that is generated from that type's codec
 * (docs/protocol.md, chapter 6).
 *
 * Total, like `decodeFrame`. The `data` of the result is the parsed value, not a copy. A message of more than 250,000 values
 * is not parsed.
 */
const decodeText = (text: string, options: DecodeFrameOptions): Frame => {
  if (tooManyValues(text)) return refuse('it holds too many values', text, text.length, options);
  const message = parseJson(text);
  return message === undefined
    ? refuse('not valid JSON of at most 64 levels', text, text.length, options)
    : decodeMessage(message, text, text.length, options);
};

/** Decodes JSON in a binary message; undefined unless the bytes are a JSON object, which no known type begins like. */
const decodeJsonBytes = (bytes: Uint8Array, options: DecodeFrameOptions): Frame | undefined => {
  const text = beginsLikeObject(bytes) ? textOf(bytes, 0, bytes.length) : undefined;
  if (text === undefined || tooManyValues(text)) return undefined;
  const message = parseJson(text);
  return isJsonObject(message) ? decodeMessage(message, text, bytes.length, options) : undefined;
};

const beginsLikeObject = (bytes: Uint8Array): boolean => {
  let at = 0;
  while (isJsonSpace(bytes[at])) at += 1;
  return bytes[at] === 0x7b;
};

/** Decodes a message that was parsed from `text`; `size` is the size of its frame. */
const decodeMessage = (message: unknown, text: string, size: number, options: DecodeFrameOptions): Frame => {
  if (!isJsonObject(message)) return refuse('the message should be an object', text, size, options);
  const { type, data } = withNumbers(message, text);
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

/** Outputs are data of nodes, whose numbers stay as sent. */
const withNumbers = (message: JsonObject, text: string): JsonObject =>
  message['type'] === 'executed' && mayLoseNumbers(text) ? (parseAsSent(text) as JsonObject) : message;

type JsonObject = Readonly<Record<string, unknown>>;

const promptIdOf = (data: unknown): string | undefined => {
  const id = isJsonObject(data) ? data['prompt_id'] : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
};

/** The reason is redacted as well: it may contain keys of the message. */
const refuse = (reason: string, text: string, size: number, { redact }: DecodeFrameOptions): Frame =>
  malformed(sampleOf(reason, 200, redact), size, sampleOf(text, 80, redact));
