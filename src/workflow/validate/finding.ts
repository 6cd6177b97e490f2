import type { Problem } from '../problem.js';

/** What a check says of one input, as the rest of a sentence that begins with the input's name. */
export type Finding = Omit<Problem, 'nodeId' | 'input'>;

/** A value on which the engine's check throws; the engine then reports nothing else about the node. */
export interface Breakdown {
  readonly breaksDown: string;
  readonly fix?: unknown;
}

/** Makes a finding that the engine refuses. */
export const error = (type: string, message: string, fix?: unknown): Finding => ({
  type,
  severity: 'error',
  message,
  ...(fix !== undefined && { fix }),
});

/** Makes a finding that the engine lets pass. */
export const warning = (type: string, message: string, fix?: unknown): Finding => ({
  ...error(type, message, fix),
  severity: 'warning',
});

/** A value in a sentence: short, and never walked in depth. */
export const shown = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
};
