import { decodeFrame } from '../../core/protocol/frames/decode-frame.js';
import { encodeFrame } from '../encode-frame.js';
import { parseExactJson, writeExactJson } from '../../core/protocol/json/exact-json.js';
import { redactJson } from '../../core/redaction/redact-value.js';
import { type MessageLine, toBase64 } from './recording-line.js';

/** What a recorder may write of a message. */
export interface SafeMessageOptions {
  /** Replaces the keys in a text. */
  readonly redact: (text: string) => string;
  /** Whether the bytes of pictures, and of unknown binary messages, are left out. */
  readonly redactMedia: boolean;
}

/** The content of a line. */
type Content = MessageLine extends infer Line
  ? Line extends MessageLine
    ? Omit<Line, 'ms' | 'direction'>
    : never
  : never;

/**
 * A message as a recording may hold it: without keys, in any encoding, and without the queries of signed addresses.
 *
 * Where a key stands in a picture, or in another place where it can't be replaced, the bytes are left out.
 */
export const safeMessage = (data: string | Uint8Array, options: SafeMessageOptions): Content => {
  if (typeof data === 'string') return { text: safeText(data, options.redact) };
  const clean = holdsKey(data, options.redact) ? withoutKeys(data, options.redact) : data;
  if (clean === undefined) return { base64: '', left: data.length };
  const kept = options.redactMedia ? lengthWithoutMedia(clean) : clean.length;
  const left = clean.length - kept;
  return { base64: toBase64(clean.subarray(0, kept)), ...(left === 0 ? {} : { left }) };
};

/** A text without keys and signed queries; the text itself where it has none. */
export const safeText = (text: string, redact: (text: string) => string): string => {
  const clean = (part: string): string => withoutSignatures(redact(part));
  const parsed = parse(text);
  const safe = redactJson(parsed, clean);
  const json = safe === parsed ? text : writeExactJson(safe);
  // Once more on the whole: a key may stand across two strings, or in a text that is no JSON.
  return parsed === undefined ? clean(json) : redact(json);
};

const parse = (text: string): unknown => {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
};

/** Replaces the query of every signed address, plain or itself in a query. */
const withoutSignatures = (text: string): string =>
  text
    .replace(/(https?:\/\/[^\s"'<>?#\\]+\?)([^\s"'<>#\\]+)/giu, (address, start: string, query: string) =>
      signed.test(`&${query}`) ? `${start}[redacted]` : address,
    )
    .replace(signedInQuery, '$1[redacted]');

const signed = /[&;](?:x-(?:amz|goog)-[\w-]+|signature|sig|token|policy|key-pair-id)=/iu;
const signedInQuery =
  /((?:%(?:25)*3f|%(?:25)*26)(?:x-(?:amz|goog)-[\w-]+|signature|sig|token|policy|key-pair-id)%(?:25)*3d)(?:(?!%(?:25)*26)[^\s"'<>&\\])+/giu;

/** As Latin-1 each byte is a character, which finds hex, base64 and UTF-16; as UTF-8 it finds the other characters. */
const holdsKey = (bytes: Uint8Array, redact: (text: string) => string): boolean =>
  ['latin1', 'utf-8'].some((encoding) => {
    const text = new TextDecoder(encoding).decode(bytes);
    return redact(text) !== text;
  });

/** A progress text, or the metadata of a preview, without keys; undefined if keys are left. */
const withoutKeys = (bytes: Uint8Array, redact: (text: string) => string): Uint8Array | undefined => {
  const frame = redactJson(decodeFrame(bytes), redact);
  if (frame._tag !== 'Text' && frame._tag !== 'Preview') return undefined;
  const clean = encodeFrame(frame);
  return typeof clean === 'string' || holdsKey(clean, redact) ? undefined : clean;
};

/**
 * How many bytes stand before the picture (docs/protocol.md, chapter 7), and those of it that tell its format, so that it plays as
 * a preview; texts are kept whole.
 */
const lengthWithoutMedia = (bytes: Uint8Array): number => {
  const header = headerLength(bytes);
  return decodeFrame(bytes)._tag === 'Preview' ? Math.min(bytes.length, header + formatLength) : header;
};

/** Of these bytes `sniffMediaType` takes every format that a preview has. */
const formatLength = 16;

const headerLength = (bytes: Uint8Array): number => {
  if (bytes.length < 8) return Math.min(4, bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  switch (view.getUint32(0)) {
    case 1:
      return 8;
    case 3:
      return bytes.length;
    case 4:
      return Math.min(bytes.length, 8 + view.getUint32(4));
    default:
      return bytes[0] === 0x7b ? bytes.length : 4;
  }
};
