import type { Workflow } from '../protocol/workflow.js';
import { parseSent } from '../protocol/json/parse-sent.js';
import { writeExactJson } from '../protocol/json/exact-json.js';

/** A workflow as the answers of a service show it. */
export const normalise = (workflow: Workflow): unknown => parseSent(writeExactJson(workflow));

/**
 * Whether two workflows are the same, but for references to assets in the first one, where a service shows names of files, and integers
 * beyond 2^53, which a service may round.
 */
export const sameWorkflow = (own: unknown, other: unknown): boolean => {
  if (!isObject(own)) return own === other || isRoundedAs(own, other);
  if (own['__type'] === 'core/ASSET') return true;
  if (!isObject(other) || Array.isArray(own) !== Array.isArray(other)) return false;
  const names = Object.keys(own);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameWorkflow(own[name], other[name]))
  );
};

/** Whether a service that has no such integers shows the first one as the second one. */
const isRoundedAs = (own: unknown, other: unknown): boolean =>
  typeof own === 'bigint' && String(other) === String(Number(own));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
