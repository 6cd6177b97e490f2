import type { Answer } from '../http/answer.js';
import { pythonJson } from './python.js';

/** JSON in Python's hand. */
export const localJson = (value: unknown, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: pythonJson(value),
});

/** A status without a body, as view, upload and the control routes answer. */
export const empty = (status: number): Answer => ({
  status,
  headers: { 'content-type': 'application/octet-stream' },
});

/** A status in plain text. */
export const plain = (status: number, body: string, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  body,
});

/** What a client sees of a {@link ServerTrouble}. */
export const serverTrouble: Answer = plain(500, '500 Internal Server Error\n\nServer got itself in trouble', {
  connection: 'close',
});
