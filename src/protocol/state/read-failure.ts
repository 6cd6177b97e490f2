import { isJsonObject } from '../is-json-object.js';
import type { JobFailure } from './job-failure.js';
import { noNodeErrors, type NodeErrors } from '../answers/node-errors.js';
import { parseJson } from '../parse-json.js';
import { readNodeErrors } from '../answers/read-node-errors.js';
import { unknownFailure } from './unknown-failure.js';

/**
 * Reads why a job failed, from whichever source told: the data of `execution_error`, the same object as `execution_error`
 * of a job or in the messages of its history, or the `error_message` of its status, which is plain text or that object
 * as JSON text. Never fails.
 *
 * Message and traceback are cut at 64 Ki characters each; of a longer traceback the end is kept, where the error is. The
 * event and the record have them whole.
 *
 * A refused validation arrives as a sentence with the refusal's body inside; its node errors are taken from there
 * (docs/protocol.md, chapters 6 and 9).
 */
export const readFailure = (told: unknown): JobFailure => {
  const said = typeof told === 'string' && told.trimStart().startsWith('{') ? objectIn(told) : told;
  if (isJsonObject(said) && ('exception_message' in said || 'exception_type' in said))
    return fromMembers(said);
  if (typeof told === 'string') return fromText(told);
  return fromText('');
};

const fromMembers = (said: Readonly<Record<string, unknown>>): JobFailure => {
  const message = text(said['exception_message']) ?? '';
  const nodeId = text(said['node_id']);
  const nodeType = text(said['node_type']);
  const { traceback } = said;
  return {
    exceptionType: text(said['exception_type']) ?? 'Unknown',
    exceptionMessage: cut(withoutLineBreak(message)),
    ...(nodeId !== undefined && { nodeId }),
    ...(nodeType !== undefined && { nodeType }),
    traceback: lastLines((Array.isArray(traceback) ? traceback : [traceback]).filter(isText)),
    nodeErrors: embeddedErrors(message) ?? noNodeErrors,
  };
};

const fromText = (message: string): JobFailure => {
  if (message.trim() === '') return unknownFailure();
  const nodeErrors = embeddedErrors(message);
  return {
    ...unknownFailure(cut(withoutLineBreak(message))),
    ...(nodeErrors !== undefined && { exceptionType: 'ValidationError', nodeErrors }),
  };
};

/** The node errors of a refusal's body within a message; undefined where there is no such body. */
const embeddedErrors = (message: string): NodeErrors | undefined => {
  const body = objectIn(message);
  return body !== undefined && ('error' in body || 'node_errors' in body)
    ? readNodeErrors(body['node_errors'])
    : undefined;
};

/** What stands from the first brace to the last, where that is an object. */
const objectIn = (message: string): Readonly<Record<string, unknown>> | undefined => {
  const start = message.indexOf('{');
  const end = message.lastIndexOf('}');
  if (start === -1 || end < start) return undefined;
  const parsed = parseJson(message.slice(start, end + 1));
  return isJsonObject(parsed) ? parsed : undefined;
};

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

const withoutLineBreak = (message: string): string => message.replace(/\r?\n$/, '');

const maxText = 64 * 1024;

const cut = (message: string): string =>
  message.length > maxText ? `${message.slice(0, maxText - 1)}…` : message;

const isText = (line: unknown): line is string => typeof line === 'string';

const lastLines = (lines: readonly string[]): readonly string[] => {
  let left = maxText;
  const kept = lines.findLastIndex((line) => (left -= line.length) < 0);
  if (kept === -1) return lines;
  const shown = lines.slice(kept + 1);
  return shown.length > 0 ? ['…', ...shown] : [`…${(lines.at(-1) ?? '').slice(1 - maxText)}`];
};
