import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import { isJsonObject, isTime } from '../protocol/json/json.js';
import { type JobFailure, readFailure, unknownFailure } from '../state/failure.js';
import type { JobPhase } from '../state/job-state.js';
import { type Outputs, readOutputs } from '../state/outputs.js';
import { maxOfWorkflows, recordPieces, type WorkflowOption } from './without-workflow.js';
import { phaseOfStatus } from '../state/phase-of-status.js';
import { pathPart } from '../protocol/path-part.js';

/**
 * `GET /api/history_v2/{id}`, on a local server `GET /api/history/{id}` (docs/protocol.md, chapters 2 and 11).
 *
 * Where there is no record yet the one answers 404 and the other an empty object; both are read as missing.
 */
export const historyEndpoint = (
  promptId: string,
  route: 'history' | 'history_v2',
  options: WorkflowOption = {},
): Endpoint<HistoryRecord> => ({
  method: 'GET',
  path: `/api/${route}/${pathPart(promptId)}`,
  idempotency: 'always',
  promptId,
  maxBytes: maxOfWorkflows,
  parsedInPieces: recordPieces(options),
  keepsNumbers: options.workflow === false ? 'outputs' : 'all',
  read: (json, asSent) => readHistory(json, promptId, asSent),
  refusedAs: (json) => (isJsonObject(json) && Object.keys(json).length === 0 ? 'missing' : undefined),
});

/** Whether an error is the `{}` with which the history of a local server says that it does not know the job. */
export const isEmptyRecord = ({
  _tag,
  sample = '',
}: {
  readonly _tag: string;
  readonly sample?: string;
}): boolean => _tag === 'NotFound' && /^\s*\{\s*\}\s*$/u.test(sample);

/** One job's record. */
export interface HistoryRecord {
  /** The job's id. */
  readonly promptId: string;
  /** What its nodes made, as far as the record has it. */
  readonly outputs: Outputs;
  /** How it ended, where the record says so. */
  readonly phase?: Extract<JobPhase, 'completed' | 'failed' | 'cancelled'>;
  /** Why it failed, where the record says so. */
  readonly failure?: JobFailure;
  /** Whether the record says that the job has ended, by `status.completed` or by the message of its end; else it may grow. */
  readonly isFinal: boolean;
  /** When it started by the service's clock, in milliseconds since 1970, where the record says so. */
  readonly startedAt?: number;
  /** When it ended by the service's clock, in milliseconds since 1970, where the record says so. */
  readonly endedAt?: number;
  /**
   * The record as sent: integers beyond 2^53, such as seeds, are `bigint`, and `NaN` and `Infinity` are these numbers. `writeExactJson`
   * writes it.
   */
  readonly record: Readonly<Record<string, unknown>>;
}

/**
 * Reads a job's record out of a history answer: a map that has it under the job's id, or the record itself.
 *
 * Right also for a record that says nothing of an end (then without `phase`). A word such as `success` gives the phase,
 * but only `completed: true` or the message that ended the job makes the record final. Left if the answer holds no
 * record of this job; an empty object is one of these (docs/protocol.md, chapters 2 and 11).
 *
 * @param asSent - The same answer with its numbers as sent, of which record and outputs are taken.
 */
export const readHistory = (
  json: unknown,
  promptId: string,
  asSent = json,
): E.Either<string, HistoryRecord> => {
  if (!isJsonObject(json)) return E.left('the history is no object');
  const record = recordOf(json, promptId);
  if (record === undefined) return E.left('the history has no record of the job');
  const sent = (isJsonObject(asSent) ? recordOf(asSent, promptId) : undefined) ?? record;
  const messages = readMessages(record['status']);
  const startedAt = timeOf(messages.find(([name]) => name === 'execution_start'));
  const end = messages.findLast(isEndMessage);
  const { phase, failure } = readEnd(record['status'], messages, end);
  const endedAt = timeOf(end);
  // Member by member: spreading what has some of them or none makes a hidden class for each record.
  const history: NewHistory = {
    promptId,
    outputs: readOutputs(sent['outputs']),
    isFinal: end !== undefined || isCompleted(record['status']),
    record: sent,
  };
  if (phase !== undefined) history.phase = phase;
  if (failure !== undefined) history.failure = failure;
  if (startedAt !== undefined) history.startedAt = startedAt;
  if (endedAt !== undefined) history.endedAt = endedAt;
  return E.right(history);
};

type NewHistory = { -readonly [Key in keyof HistoryRecord]: HistoryRecord[Key] };

type Json = Readonly<Record<string, unknown>>;
type Message = readonly [name: string, data: Json];

const recordOf = (json: Json, promptId: string): Json | undefined => {
  const keyed = Object.hasOwn(json, promptId) ? json[promptId] : undefined;
  if (isJsonObject(keyed)) return keyed;
  return isJsonObject(json['outputs']) || isEnd(json['status']) ? json : undefined;
};

const isEnd = (status: unknown): boolean =>
  typeof status === 'string' || (isJsonObject(status) && ('status_str' in status || 'completed' in status));

const readMessages = (status: unknown): readonly Message[] => {
  const messages = isJsonObject(status) ? status['messages'] : undefined;
  return Array.isArray(messages) ? messages.filter(isMessage) : [];
};

const isMessage = (message: unknown): message is Message =>
  Array.isArray(message) && typeof message[0] === 'string' && isJsonObject(message[1]);

/**
 * The message of the end outranks the word: an interrupted job has the word `error`, and one that came to a cycle `success`
 * (docs/protocol.md, L.12).
 */
const readEnd = (
  status: unknown,
  messages: readonly Message[],
  end: Message | undefined,
): Pick<HistoryRecord, 'phase' | 'failure'> => {
  const word = phaseOfStatus(isJsonObject(status) ? status['status_str'] : status);
  if (end?.[0] === 'execution_interrupted') return { phase: 'cancelled' };
  if (end?.[0] === 'execution_error' || word === 'failed') {
    const error = messages.findLast((message) => message[0] === 'execution_error' && isEndMessage(message));
    return { phase: 'failed', failure: error === undefined ? unknownFailure() : readFailure(error[1]) };
  }
  if (word === 'completed' || word === 'cancelled') return { phase: word };
  return isCompleted(status) ? { phase: 'completed' } : {};
};

const isCompleted = (status: unknown): boolean => isJsonObject(status) && status['completed'] === true;

const ends: readonly string[] = ['execution_success', 'execution_error', 'execution_interrupted'];

const isEndMessage = ([name, data]: Message): boolean =>
  ends.includes(name) && data['exception_type'] !== 'ExecutionBlocked';

const timeOf = (message: Message | undefined): number | undefined => {
  const time = message?.[1]['timestamp'];
  return isTime(time) ? time : undefined;
};
