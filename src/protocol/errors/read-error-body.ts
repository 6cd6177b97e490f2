import { isJsonObject } from '../is-json-object.js';

/** What the body of a refusal says, whichever of its shapes it has. */
export interface ErrorBody {
  /** The service's own word for the failure. */
  readonly type?: string;
  readonly message?: string;
  /** The `node_errors` member as sent. */
  readonly nodeErrors?: unknown;
}

/**
 * Reads the body of a refusal, total.
 *
 * The shapes differ by endpoint and by deployment (docs/protocol.md, chapter 3): an `error` object, an `error` text, a
 * `code` with a `message`, a `message` alone, plain text, HTML or nothing; they are tried in this order.
 */
export const readErrorBody = (text: string, json: unknown): ErrorBody => {
  if (!isJsonObject(json)) return plain(text);
  const { error, code, message, node_errors: nodeErrors } = json;
  return isJsonObject(error)
    ? {
        type: word(error['type']) ?? word(error['code']) ?? word(code),
        message: sentence(error['message'], error['details']) ?? word(message),
        nodeErrors,
      }
    : { type: word(code), message: word(error) ?? word(message), nodeErrors };
};

const word = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** The engine's `details` often hold the only concrete part: the node id or the refused value. */
const sentence = (message: unknown, details: unknown): string | undefined => {
  const [what, more] = [word(message), word(details)];
  return what !== undefined && more !== undefined ? `${what} (${more})` : (what ?? more);
};

/** A page of HTML or XML is no sentence to quote. */
const plain = (text: string): ErrorBody => {
  const said = text.trim();
  return said === '' || /^[<[{]/u.test(said) ? {} : { message: said };
};
