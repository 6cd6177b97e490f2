import { type Answer, json } from '../http/answer.js';

/** Members of an error's answer beside code and message. */
export interface EnvelopeOptions {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The error body of every route: `{ error: { code, message, details } }`. */
export const envelope = (
  status: number,
  code: string,
  message: string,
  { details, headers }: EnvelopeOptions = {},
): Answer => {
  const answer = json(errorDocument(code, message, details), status);
  return { ...answer, headers: { ...answer.headers, ...headers } };
};

/** The envelope itself, which the `error` event carries as well. */
export const errorDocument = (
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>> | null = null,
): { readonly error: Readonly<Record<string, unknown>> } => ({ error: { code, message, details } });
