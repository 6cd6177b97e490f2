import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/** A value of a workflow as a person reads it. */
export const valueText = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  return writeExactJson(value);
};
