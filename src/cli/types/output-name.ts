import { identifierPart } from './text.js';

/**
 * The name of an output, which ends with its slot: `MODEL_0`. The slot tells outputs of one name apart, and a graph needs no
 * definitions to know it.
 */
export const outputName = (definition: unknown, slot: number): string => {
  const { output_name: names, output: types } = definition as Readonly<Record<string, unknown>>;
  const name = [names, types]
    .map((list): unknown => (Array.isArray(list) ? (list as readonly unknown[])[slot] : undefined))
    .map((entry) => (typeof entry === 'string' ? identifierPart(entry) : ''))
    .find((entry) => entry !== '');
  const word = name ?? 'output';
  return `${/^\d/u.test(word) ? `_${word}` : word}_${slot}`;
};
