import { isJsonObject } from '../../../core/protocol/json/json.js';
import type { JobPhase } from '../../../core/state/job-state.js';

type Members = Readonly<Record<string, unknown>>;

/** Whether a value has the members of a job's state, as far as servers rely on them; what is absent is of an earlier version. */
export const isState = (value: unknown): value is Members =>
  isStatus(value) && isProgress(value) && isJsonObject(value['outputs']) && areObjects(value['outputs']);

/** Whether a value has the members of a state that tell where the job stands. */
export const isStatus = (value: unknown): value is Members =>
  isJsonObject(value) &&
  phases.has(value['phase']) &&
  isJsonObject(value['nodeErrors']) &&
  areObjects(value['nodeErrors']) &&
  isAbsentOr(isText)(value['promptId']) &&
  isAbsentOr(isFailure)(value['failure']) &&
  isAbsentOr(isListOf(isSocketImage))(value['socketImages']) &&
  [value['queuedAt'], value['startedAt'], value['endedAt']].every(isAbsentOr(isNumber));

/** Whether a value has the members of a state that tell how far the job is. */
export const isProgress = (value: unknown): value is Members =>
  isJsonObject(value) &&
  isJsonObject(value['nodes']) &&
  Object.values(value['nodes']).every(isNode) &&
  isAbsentOr(isNumber)(value['progress']) &&
  isAbsentOr(isNumber)(value['nodeCount']);

/** Whether each member of an object is an object. */
export const areObjects = (value: Members): boolean => Object.values(value).every(isJsonObject);

/** A moment or an amount: a number that a clock or a formula takes. */
export const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** Whether a value is what it has to be, where it is there at all. */
export const isAbsentOr =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || is(value);

export const isText = (value: unknown): value is string => typeof value === 'string';

export const isListOf =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(is);

const isNode = (value: unknown): boolean =>
  isJsonObject(value) && isAbsentOr(isNumber)(value['value']) && isAbsentOr(isNumber)(value['max']);

const isFailure = (value: unknown): boolean =>
  isJsonObject(value) &&
  isText(value['exceptionType']) &&
  isText(value['exceptionMessage']) &&
  isListOf(isText)(value['traceback']) &&
  isAbsentOr(isListOf(isText))(value['candidates']);

const isSocketImage = (value: unknown): boolean =>
  isJsonObject(value) && isText(value['nodeId']) && isText(value['mediaType']);

const phases: ReadonlySet<unknown> = new Set<JobPhase>([
  ...(['submitting', 'pending', 'in_progress'] as const),
  ...(['completed', 'failed', 'cancelled', 'untraceable', 'unknown'] as const),
]);
