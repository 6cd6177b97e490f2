import { documentIn } from '../../core/errors/seen.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { parseExactJson } from '../../core/protocol/json/exact-json.js';
import type { ReadAnswer } from './http-client.js';
import { readJobState } from '../../core/events/read-job-event.js';
import { callError } from '../../core/errors/call-error.js';
import type { JobState } from '../../core/state/job-state.js';
import type { ServiceError } from '../../core/errors/errors.js';

/** Reads JSON by a reader that gives undefined for a value of another form. */
export const jsonBy =
  <A>(read: (value: unknown) => A | undefined): ReadAnswer<A> =>
  async (response, next) => {
    next(readBy(read, await response.text()));
  };

/** Reads a text likewise; throws `Decode`. */
export const readBy = <A>(read: (value: unknown) => A | undefined, text: string): A => {
  const value = read(parse(text));
  if (value === undefined) throw noGateway(`the answer is ${documentIn(text) ?? 'none of a gateway'}`);
  return value;
};

/** The error of an answer that no gateway gives. */
export const noGateway = (reason: string): ServiceError =>
  callError('Decode', { reason, message: `The answer can't be read: ${reason}.` });

const parse = (text: string): unknown => {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
};

/** Reads a job's state as a gateway wrote it. */
export const readState = (value: unknown): JobState | undefined =>
  isJsonObject(value) &&
  typeof value['phase'] === 'string' &&
  typeof value['progress'] === 'number' &&
  ['nodes', 'outputs', 'nodeErrors'].every((name) => isJsonObject(value[name])) &&
  Array.isArray(value['warnings'])
    ? readJobState(value as unknown as JobState)
    : undefined;
