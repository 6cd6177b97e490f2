import { ServerTrouble } from './server-trouble.js';

/** A JSON value as Python's `float` reads it; whatever it can't read is the server's own trouble. */
export const pythonNumber = (value: unknown): number => {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))) return Number(value);
  throw new ServerTrouble(`could not convert to float: ${JSON.stringify(value)}`);
};
