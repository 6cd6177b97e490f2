import { identifierPart } from '../types/text.js';
import { uniqueNames } from '../types/unique-names.js';
import type { WorkflowNode } from '../../workflow.js';

/** Names nodes for a program: by a short title of their own, else by their class; no two alike. */
export const variableNames = (): ((node: WorkflowNode) => string) => {
  const nameFor = uniqueNames(reserved);
  return ({ class_type: className, _meta: meta }) => {
    const base = [meta?.title ?? '', className]
      .map(camelCase)
      .find((name) => name !== '' && name.length <= maxLength);
    return nameFor(base ?? 'node');
  };
};

const maxLength = 30;

/** `loadCheckpoint` of `Load Checkpoint`, `clipTextEncode` of `CLIPTextEncode`; empty if no word is left. */
const camelCase = (text: string): string => {
  const words = identifierPart(text)
    .split('_')
    .filter((word) => word !== '')
    .map((word) => word.replace(/^[A-Z]+(?=[A-Z][a-z]|$|\d)/u, (start) => start.toLowerCase()));
  const [first = '', ...rest] = words;
  const name = `${lowerFirst(first)}${rest.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')}`;
  return /^\d/u.test(name) ? `_${name}` : name;
};

const lowerFirst = (word: string): string => `${word.charAt(0).toLowerCase()}${word.slice(1)}`;

/** Names that the program itself uses, and the reserved words. */
const reserved = [
  'g graph workflow Nodes undefined NaN Infinity arguments eval await async break case catch class const continue',
  'debugger default delete do else enum export extends false finally for function if implements import in instanceof',
  'interface let new null package private protected public return static super switch this throw true try typeof var',
  'void while with yield',
].flatMap((line) => line.split(' '));
