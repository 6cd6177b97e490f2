import { fromBase64, type Recorded } from './recording-line.js';
import { invalidRecording } from './recording-error.js';
import { isJsonObject } from '../../core/protocol/json/json.js';

/**
 * Reads the WebSocket messages of a HAR, as the tools of a browser export it: those of sockets at `/ws`, or of all sockets where there
 * is no such one, in the order of their times.
 *
 * Throws `InvalidRecording` for what is neither JSON nor a HAR, and for a malformed message, with the line of its socket.
 */
export const readHar = (text: string): readonly Recorded[] => {
  const har = parseWhole(text);
  const log = isJsonObject(har) ? har['log'] : undefined;
  const entries = isJsonObject(log) ? log['entries'] : undefined;
  if (!Array.isArray(entries)) throw invalidRecording(1, 'begins neither a recording nor a HAR');
  const lines = linesOf(text, '"_webSocketMessages"');
  const sockets = (entries as readonly unknown[]).flatMap((entry) => {
    const messages = isJsonObject(entry) ? entry['_webSocketMessages'] : undefined;
    return messages === undefined ? [] : [{ messages, isEvents: isEventsSocket(entry) }];
  });
  const read = sockets
    .map(({ messages, isEvents }, socket) => ({ messages, isEvents, socket, line: lines[socket] ?? 1 }))
    .filter(({ isEvents }) => isEvents || !sockets.some((other) => other.isEvents))
    .flatMap(readSocket);
  if (read.length === 0) throw invalidRecording(1, 'begins a HAR without WebSocket messages');
  return read.toSorted((one, other) => one.ms - other.ms);
};

interface HarSocket {
  readonly messages: unknown;
  readonly socket: number;
  readonly line: number;
}

const readSocket = ({ messages, socket, line }: HarSocket): readonly Recorded[] => {
  if (!Array.isArray(messages)) throw invalidRecording(line, 'has no list of messages');
  return (messages as readonly unknown[]).flatMap((message): readonly Recorded[] => {
    if (!isJsonObject(message)) throw invalidRecording(line, 'has a message that is no object');
    const { type, time, opcode, data } = message;
    if (opcode !== 1 && opcode !== 2) return [];
    if (typeof time !== 'number' || !Number.isFinite(time) || time < 0 || typeof data !== 'string') {
      throw invalidRecording(line, 'has a message without its time and data');
    }
    const content = opcode === 1 ? data : fromBase64(data);
    if (content === undefined) throw invalidRecording(line, 'has a binary message that is no base64');
    // A HAR counts in seconds.
    const at = { ms: time * 1000, line, socket };
    return [{ kind: 'message', direction: type === 'send' ? 'out' : 'in', data: content, ...at }];
  });
};

const isEventsSocket = (entry: unknown): boolean => {
  const request = isJsonObject(entry) ? entry['request'] : undefined;
  const url = isJsonObject(request) ? request['url'] : undefined;
  return typeof url === 'string' && /\/ws(?:[?#]|$)/u.test(url);
};

const parseWhole = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const place = /position (\d+)/u.exec(String(error))?.[1];
    const before = place === undefined ? text : text.slice(0, Number(place));
    throw invalidRecording(
      before.trimEnd().split('\n').length,
      'is neither a recording nor JSON, perhaps because it was cut',
    );
  }
};

/** The line of each place where a word stands, counted from 1. */
const linesOf = (text: string, word: string): readonly number[] =>
  text
    .split('\n')
    .flatMap((line, index) => Array.from({ length: line.split(word).length - 1 }, () => index + 1));
