import type { Malformed } from '../../core/protocol/frames/frame.js';
import { fromBase64, type Recorded, recordingVersion } from './recording-line.js';
import { invalidRecording } from './recording-error.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { malformed } from '../../core/protocol/frames/frame.js';
import { readHar } from './read-har.js';

/** How many bytes a message may have where the caller sets no other bound, 256 MiB: as many as a client of a local server takes. */
const defaultMessageBytes = 268_435_456;

/**
 * Reads a recording line by line, or a HAR with WebSocket messages; throws `InvalidRecording` at a malformed line, or at a message that
 * had more than `maxMessageBytes`: a message whose picture was left out counts with its full length.
 *
 * Lines that say how a socket or the recording ended, and members that this version does not know, are passed over.
 */
export const readRecording = function* (
  text: string,
  maxMessageBytes = defaultMessageBytes,
): Generator<Recorded> {
  const content = text.replace(/^\uFEFF/u, '');
  const head = parse(content.slice(0, endOfLine(content, 0)));
  if (!isJsonObject(head) || head['recording'] !== 'promptwire') {
    yield* readHar(content);
    return;
  }
  if (head['version'] !== recordingVersion) {
    throw invalidRecording(1, `names a version other than ${recordingVersion}`);
  }
  let line = 1;
  for (let at = endOfLine(content, 0) + 1; at < content.length;) {
    const end = endOfLine(content, at);
    line += 1;
    const recorded = readLine(content.slice(at, end), line, maxMessageBytes);
    if (recorded !== undefined) yield recorded;
    at = end + 1;
  }
};

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};

const readLine = (text: string, line: number, maxMessageBytes: number): Recorded | undefined => {
  if (text.trim() === '') return undefined;
  const json = parse(text);
  if (!isJsonObject(json)) throw invalidRecording(line, 'is no JSON object, perhaps because it was cut');
  const { ms } = json;
  if (!isTime(ms)) throw invalidRecording(line, 'has no time in milliseconds');
  const socket = 0;
  if (json['socket'] === 'opened') return { kind: 'opened', ms, line, socket };
  const { direction } = json;
  if (direction === undefined) return undefined;
  if (direction !== 'in' && direction !== 'out')
    throw invalidRecording(line, 'has a direction other than in and out');
  const { promptText } = json;
  return {
    kind: 'message',
    ms,
    line,
    socket,
    direction,
    data: readData(json, line, maxMessageBytes),
    ...(typeof promptText === 'boolean' ? { promptText } : {}),
  };
};

const readData = (
  json: Readonly<Record<string, unknown>>,
  line: number,
  maxMessageBytes: number,
): string | Uint8Array | Malformed => {
  const { text, base64, left = 0, malformed: bad } = json;
  if (typeof text === 'string') return text;
  if (isJsonObject(bad)) {
    const { reason, size, sample } = bad;
    if (typeof reason !== 'string' || !isTime(size) || typeof sample !== 'string') {
      throw invalidRecording(line, 'describes a malformed message in an unknown way');
    }
    return malformed(reason, size, sample);
  }
  const bytes = typeof base64 === 'string' ? fromBase64(base64) : undefined;
  if (bytes === undefined) throw invalidRecording(line, 'has neither a text nor bytes in base64');
  if (!isTime(left) || !Number.isInteger(left)) {
    throw invalidRecording(line, 'has left out an impossible number of bytes');
  }
  if (bytes.length + left > maxMessageBytes) {
    const size = `has a message of ${bytes.length + left} bytes`;
    throw invalidRecording(line, `${size}, more than ${maxMessageBytes}, the bound of maxMessageBytes`);
  }
  if (left === 0) return bytes;
  const padded = new Uint8Array(bytes.length + left);
  padded.set(bytes);
  return padded;
};

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
