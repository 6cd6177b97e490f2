/*
 * Made by `npm run generate` from the codecs of ../events/event-codecs.ts. Change those, not this file: a test and
 * `npm run generate:check` compare the two.
 */

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNumberOrNull = (value: unknown): boolean => typeof value === 'number' || value === null;

const isString = (value: unknown): boolean => typeof value === 'string';

const isOptionalStringOrNull = (value: unknown): boolean =>
  value === undefined || typeof value === 'string' || value === null;

const isOptionalNumberOrNull = (value: unknown): boolean =>
  value === undefined || typeof value === 'number' || value === null;

const isOptionalString = (value: unknown): boolean => value === undefined || typeof value === 'string';

const isProgressStateNodesItem = (value: unknown): boolean =>
  isObject(value) &&
  isOptionalNumberOrNull(value.value) &&
  isOptionalNumberOrNull(value.max) &&
  isOptionalString(value.state) &&
  isOptionalStringOrNull(value.node_id) &&
  isOptionalStringOrNull(value.prompt_id) &&
  isOptionalStringOrNull(value.display_node_id) &&
  isOptionalStringOrNull(value.parent_node_id) &&
  isOptionalStringOrNull(value.real_node_id) &&
  isOptionalStringOrNull(value.class_type);

const isProgressStateNodes = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every(isProgressStateNodesItem);

const isOptionalNumber = (value: unknown): boolean => value === undefined || typeof value === 'number';

const isOptionalStatusStatusExecInfoOrNull = (value: unknown): boolean =>
  value === undefined || (isObject(value) && isOptionalNumber(value.queue_remaining)) || value === null;

const isOptionalStatusStatusOrNull = (value: unknown): boolean =>
  value === undefined ||
  (isObject(value) && isOptionalStatusStatusExecInfoOrNull(value.exec_info)) ||
  value === null;

const isListOfString = (value: unknown): boolean => Array.isArray(value) && value.every(isString);

const isOptionalExecutedOutputOrNull = (value: unknown): boolean =>
  value === undefined || isObject(value) || value === null;

const isOptionalBooleanOrNull = (value: unknown): boolean =>
  value === undefined || typeof value === 'boolean' || value === null;

const isOptionalListOfStringOrNull = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every(isString)) || value === null;

const isProgress = (value: unknown): boolean =>
  isObject(value) &&
  isNumberOrNull(value.value) &&
  isNumberOrNull(value.max) &&
  isString(value.prompt_id) &&
  isOptionalStringOrNull(value.node);

const isProgressState = (value: unknown): boolean =>
  isObject(value) && isString(value.prompt_id) && isProgressStateNodes(value.nodes);

const isStatus = (value: unknown): boolean =>
  isObject(value) &&
  isOptionalStatusStatusOrNull(value.status) &&
  isOptionalStatusStatusExecInfoOrNull(value.exec_info) &&
  isOptionalNumber(value.queue_remaining) &&
  isOptionalStringOrNull(value.sid);

const isNotification = (value: unknown): boolean =>
  isObject(value) && isString(value.value) && isOptionalStringOrNull(value.id);

const isExecutionStart = (value: unknown): boolean =>
  isObject(value) && isString(value.prompt_id) && isOptionalNumberOrNull(value.timestamp);

const isExecutionCached = (value: unknown): boolean =>
  isObject(value) &&
  isString(value.prompt_id) &&
  isListOfString(value.nodes) &&
  isOptionalNumberOrNull(value.timestamp);

const isExecuting = (value: unknown): boolean =>
  isObject(value) &&
  isOptionalStringOrNull(value.node) &&
  isOptionalStringOrNull(value.display_node) &&
  isOptionalStringOrNull(value.prompt_id);

const isExecuted = (value: unknown): boolean =>
  isObject(value) &&
  isString(value.prompt_id) &&
  isString(value.node) &&
  isOptionalStringOrNull(value.display_node) &&
  isOptionalExecutedOutputOrNull(value.output) &&
  isOptionalBooleanOrNull(value.merge);

const isExecutionSuccess = (value: unknown): boolean =>
  isObject(value) && isString(value.prompt_id) && isOptionalNumberOrNull(value.timestamp);

const isExecutionError = (value: unknown): boolean =>
  isObject(value) &&
  isString(value.prompt_id) &&
  isString(value.exception_type) &&
  isString(value.exception_message) &&
  isOptionalStringOrNull(value.node_id) &&
  isOptionalStringOrNull(value.node_type) &&
  isOptionalListOfStringOrNull(value.executed) &&
  isOptionalListOfStringOrNull(value.traceback) &&
  isOptionalNumberOrNull(value.timestamp);

const isExecutionInterrupted = (value: unknown): boolean =>
  isObject(value) &&
  isString(value.prompt_id) &&
  isOptionalStringOrNull(value.node_id) &&
  isOptionalStringOrNull(value.node_type) &&
  isOptionalListOfStringOrNull(value.executed) &&
  isOptionalNumberOrNull(value.timestamp);

const isFeatureFlags = (value: unknown): boolean => isObject(value);

/**
 * Says of a JSON value what `is` of this type's codec in `eventCodecs` says; undefined for a type without a codec.
 *
 * A `switch`, since a map would have to hash the `type` of each message.
 */
export const isEventData = (type: string, data: unknown): boolean | undefined => {
  switch (type) {
    case 'progress':
      return isProgress(data);
    case 'progress_state':
      return isProgressState(data);
    case 'status':
      return isStatus(data);
    case 'notification':
      return isNotification(data);
    case 'execution_start':
      return isExecutionStart(data);
    case 'execution_cached':
      return isExecutionCached(data);
    case 'executing':
      return isExecuting(data);
    case 'executed':
      return isExecuted(data);
    case 'execution_success':
      return isExecutionSuccess(data);
    case 'execution_error':
      return isExecutionError(data);
    case 'execution_interrupted':
      return isExecutionInterrupted(data);
    case 'feature_flags':
      return isFeatureFlags(data);
    default:
      return undefined;
  }
};
