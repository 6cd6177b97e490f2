import { isJsonObject } from '../protocol/json/json.js';
import { type NodeErrors, noNodeErrors, readNodeErrors } from './node-errors.js';
import { parseJson } from '../protocol/json/parse-json.js';

/** Why a job failed, in the service's words; in `runAll` also why a submission was refused or its outcome is unknown. */
export interface JobFailure {
  /** `exception_type` as sent: one of the documented six, a Python class name or anything newer; `Unknown` if absent. */
  readonly exceptionType: string;
  /** `exception_message` without its trailing line break. */
  readonly exceptionMessage: string;
  readonly nodeId?: string;
  readonly nodeType?: string;
  readonly traceback: readonly string[];
  /** Filled where the message carried the body of a refused validation. */
  readonly nodeErrors: NodeErrors;
  /** Of a submission whose outcome is unknown: ids of jobs that it may have become. */
  readonly candidates?: readonly string[];
  /** Of a submission whose outcome is unknown: when it was sent, in milliseconds since 1970. */
  readonly startedAt?: number;
}

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

const noReason = 'The service gave no reason.';
const endedAs = 'The service ended the job as "';

/** The failure of a job that the service reports as failed, without a reason. */
export const unknownFailure = (exceptionMessage = noReason): JobFailure => ({
  exceptionType: 'Unknown',
  exceptionMessage,
  traceback: [],
  nodeErrors: noNodeErrors,
});

/** The failure of a job that the service ended with this word, without a reason. */
export const failureByWord = (word: string): JobFailure => unknownFailure(`${endedAs}${word}".`);

/** How much a failure says: 0 where it gives no reason, more for a text, an exception's name, the node. */
export const reasonOf = ({ exceptionType, exceptionMessage, nodeId }: JobFailure): number => {
  if (nodeId !== undefined) return 3;
  if (exceptionType !== 'Unknown') return 2;
  return exceptionMessage === noReason || exceptionMessage.startsWith(endedAs) ? 0 : 1;
};
