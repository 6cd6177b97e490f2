import { PythonFloat } from './python-json.js';

/** A JSON value as Python's `str` writes it, as far as ids are concerned: `None`, `True`, numbers and texts. */
export const pythonText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  return typeof value === 'number' || value instanceof PythonFloat
    ? String(value instanceof PythonFloat ? value.value : value)
    : JSON.stringify(value);
};
