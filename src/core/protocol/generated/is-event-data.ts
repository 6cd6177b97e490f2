/*
 * Made by `npm run generate` from the codecs of ../event-codecs.ts. Change those, not this file: a test and
 * `npm run generate:check` compare the two.
 */

import { shapeProblem } from '../json/shape-problem.js';
import { eventShapes } from './shapes.js';

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

const isOptionalExecutedOutputOrNull = (value: unknown): boolean =>
  value === undefined || isObject(value) || value === null;

const isOptionalBooleanOrNull = (value: unknown): boolean =>
  value === undefined || typeof value === 'boolean' || value === null;

const isProgress = (value: unknown): boolean =>
  isObject(value) &&
  isNumberOrNull(value.value) &&
  isNumberOrNull(value.max) &&
  isString(value.prompt_id) &&
  isOptionalStringOrNull(value.node);

const isProgressState = (value: unknown): boolean =>
  isObject(value) && isString(value.prompt_id) && isProgressStateNodes(value.nodes);

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
    case 'executing':
      return isExecuting(data);
    case 'executed':
      return isExecuted(data);
    default:
      return isRareEventData(type, data);
  }
};

/** Of the messages that come a few times a job: a function for each would weigh more in a page than it saves in time. */
const isRareEventData = (type: string, data: unknown): boolean | undefined => {
  const shape = Object.hasOwn(eventShapes, type) ? eventShapes[type] : undefined;
  return shape === undefined ? undefined : shapeProblem(shape, data) === undefined;
};
