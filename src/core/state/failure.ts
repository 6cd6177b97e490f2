import { isJsonObject } from '../protocol/json/json.js';
import { type NodeErrors, noNodeErrors, readNodeErrors } from './node-errors.js';
import { parseJson } from '../protocol/json/parse-json.js';

/** Why a job failed, in the service's words; in `runAll` also why a submission was refused, or why its outcome is unknown. */
export interface JobFailure {
  /** `exception_type` as sent: one of the six documented words, a Python class name or a newer word; `Unknown` if absent. */
  readonly exceptionType: string;
  /** `exception_message` without its trailing line break. */
  readonly exceptionMessage: string;
  /** The node that failed; absent if the failure belongs to none. */
  readonly nodeId?: string;
  /** The class of that node. */
  readonly nodeType?: string;
  /** The lines of the service's traceback; may be empty. */
  readonly traceback: readonly string[];
  /** Present where the message contains the body of a refused validation. */
  readonly nodeErrors: NodeErrors;
  /** Only where a request of the client failed: the service's id of it, where its answer named one. */
  readonly requestId?: string;
  /** Only for a submission of unknown outcome: ids of the jobs that it may have become. */
  readonly candidates?: readonly string[];
  /** Only for a submission of unknown outcome: when it was sent, in milliseconds since 1970. */
  readonly startedAt?: number;
}

/**
 * Reads why a job failed, from any of its sources. Never fails.
 *
 * The sources are the data of an `execution_error` event, the same object in a job's detail or in the messages of its
 * history, and the `error_message` of its status, which is plain text or that object as JSON text.
 *
 * Message and traceback are cut at 64 Ki characters each; a longer traceback keeps its end, where the error is. The event
 * and the record have both in full.
 *
 * A refused validation arrives as a sentence that contains the body of the refusal; the node errors come from that body
 * (docs/protocol.md, chapters 6 and 9).
 */
export const readFailure = (reported: unknown): JobFailure => {
  const isJsonText = typeof reported === 'string' && reported.trimStart().startsWith('{');
  const error = isJsonText ? objectIn(reported) : reported;
  if (isJsonObject(error) && ('exception_message' in error || 'exception_type' in error)) {
    return fromMembers(error);
  }
  if (typeof reported === 'string') return fromText(reported);
  return fromText('');
};

const fromMembers = (error: Readonly<Record<string, unknown>>): JobFailure => {
  const message = text(error['exception_message']) ?? '';
  const nodeId = text(error['node_id']);
  const nodeType = text(error['node_type']);
  const { traceback } = error;
  return {
    exceptionType: text(error['exception_type']) ?? 'Unknown',
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

/** The node errors of the refusal's body inside a message; undefined if there is no such body. */
const embeddedErrors = (message: string): NodeErrors | undefined => {
  const body = objectIn(message);
  return body !== undefined && ('error' in body || 'node_errors' in body)
    ? readNodeErrors(body['node_errors'])
    : undefined;
};

/** Parses the text between the first brace and the last one, if that is an object. */
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

/** The failure of a job that the service reports as failed without a reason. */
export const unknownFailure = (exceptionMessage = noReason): JobFailure => ({
  exceptionType: 'Unknown',
  exceptionMessage,
  traceback: [],
  nodeErrors: noNodeErrors,
});

/** The failure of a job that the service ended with this status word and without a reason. */
export const failureByWord = (word: string): JobFailure => unknownFailure(`${endedAs}${word}".`);

/** Ranks how much a failure explains: 0 without a reason, 1 with a text, 2 with an exception type, 3 with the node. */
export const failureDetail = ({ exceptionType, exceptionMessage, nodeId }: JobFailure): number => {
  if (nodeId !== undefined) return 3;
  if (exceptionType !== 'Unknown') return 2;
  return exceptionMessage === noReason || exceptionMessage.startsWith(endedAs) ? 0 : 1;
};
