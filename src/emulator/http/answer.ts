import type { BodySink } from './streamed-body.js';
import type { CutHow } from '../fault.js';
import { stringifyExact } from '../exact-json.js';

/** What a route answers. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Sends a body as it comes, in place of `body`; called once the headers are out. */
  readonly stream?: (sink: BodySink) => void;
  /** Ends the connection, or leaves it silent, in place of an answer. */
  readonly abort?: CutHow | 'stall';
}

/** JSON with a status, default 200. */
export const json = (value: unknown, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: stringifyExact(value),
});

/** The error body of every endpoint except the submission: `{ code, message }`. */
export const refusal = (status: number, code: string, message: string): Answer =>
  json({ code, message }, status);

/** The error body of the submission: `{ error: { type, message, … }, node_errors }`. */
export const promptRefusal = (
  status: number,
  error: {
    readonly type: string;
    readonly message: string;
    readonly details?: string;
    readonly extra_info?: unknown;
    /** The paid nodes that a policy refuses, and who offers them. */
    readonly class_types?: readonly string[];
    readonly providers?: readonly string[];
  },
  nodeErrors: unknown = {},
): Answer => json({ error: { details: '', extra_info: {}, ...error }, node_errors: nodeErrors }, status);

/** 200 without a body. */
export const done: Answer = { status: 200 };
