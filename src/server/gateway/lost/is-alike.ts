import type { Workflow } from '../../../core/protocol/workflow.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/** A workflow as the answers of a service show it: integers beyond 2^53 are rounded. */
export const asAnswered = (workflow: Workflow): unknown => JSON.parse(writeExactJson(workflow));

/** Whether two workflows are the same, but for references to assets in the first one, where a service shows names of files. */
export const isAlike = (own: unknown, other: unknown): boolean => {
  if (!isObject(own)) return own === other;
  if (own['__type'] === 'core/ASSET') return true;
  if (!isObject(other) || Array.isArray(own) !== Array.isArray(other)) return false;
  const names = Object.keys(own);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isAlike(own[name], other[name]))
  );
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
