import { cutText } from '../../core/redaction/cut-text.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import type { Problem } from '../../core/protocol/problem.js';

/** What a check says of one input, as the rest of a sentence that begins with the input's name. */
export type Finding = Omit<Problem, 'nodeId' | 'input'>;

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

/** Makes the problem of a node, or of one of its inputs, with whose name the sentence then begins. */
export const problemOf = (
  { id, className }: { readonly id: string; readonly className: string },
  finding: Finding,
  input?: string,
): Problem => ({
  nodeId: id,
  ...(input !== undefined && { input }),
  ...finding,
  message: `Node ${id} (${className})${input ? `: ${input}` : ''} ${finding.message}`,
});

/** The type of a finding on which the engine's check throws; the engine then reports nothing else about the node. */
export const thrown = 'exception_during_validation';

/** What is to say of a value. */
export const isWhat = (value: unknown, what: string): string => `is ${shown(value)}, ${what}.`;

/** What is to say of a value that the engine takes for another. */
export const readAs = (given: unknown, value: unknown): string =>
  isWhat(given, `which the engine reads as ${shown(value)}`);

/** The end of a sentence that names what was meant, or what may have been. */
export const meant = (fix: unknown, suggestion?: unknown): string => {
  if (fix !== undefined) return `; ${shown(fix)} was meant`;
  return suggestion === undefined ? '' : `; perhaps ${shown(suggestion)} was meant`;
};

/** A finding with what may have been meant. */
export const suggesting = (finding: Finding, suggestion: unknown): Finding =>
  suggestion === undefined ? finding : { ...finding, suggestion };

/** Names of files and keys of services are shorter. */
const maxShown = 160;

/** A value in a sentence: short, and never walked in depth. */
export const shown = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(cutText(value, maxShown));
  if (Array.isArray(value)) return 'a list';
  if (isJsonObject(value)) return 'an object';
  return String(value);
};
