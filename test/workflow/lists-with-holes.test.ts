import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convert } from './helpers/converted.js';
import { definitions } from './helpers/node-definitions.js';
import { definitions as classes, picture } from './validate/definitions.js';
import { uiFiles } from './helpers/hostile-ui.js';
import { some } from '../helpers/runs.js';
import { readGraph, validateWorkflow } from '../../src/workflow.js';

/** Programs delete items of lists, or assign beyond their end; JSON itself has no holes. */
describe('a hole in a list', () => {
  it('is an undefined item to the conversion, wherever the file has a list', () => {
    fc.assert(
      fc.property(uiFiles, (file) => {
        for (const [holed, filled] of pairsOf(file)) {
          expect(convert(holed)).toEqual(convert(filled));
          expect(readGraph(holed)).toEqual(readGraph(filled));
        }
      }),
      { numRuns: 6 },
    );
  });

  it('is an undefined item in the lists of the definitions', () => {
    const [file] = fc.sample(uiFiles, { numRuns: 1, seed: 7 });
    for (const [holed, filled] of pairsOf(definitions))
      expect(convert(file!, {}, holed)).toEqual(convert(file!, {}, filled));
    for (const [holed, filled] of pairsOf(classes))
      expect(validateWorkflow(picture(), holed)).toEqual(validateWorkflow(picture(), filled));
  });

  it('is an undefined item to the validation', () => {
    for (const [holed, filled] of pairsOf(picture()))
      expect(validateWorkflow(holed, classes)).toEqual(validateWorkflow(filled, classes));
  });
});

/** The value with a hole in place of one item of a list, and with undefined there, for each item or a share of them. */
function* pairsOf<A extends object>(value: A): Generator<readonly [holed: A, filled: A]> {
  for (const at of some([...itemsIn(value).keys()], { every: 4, turn: 0 })) {
    const holed = structuredClone(value);
    const { list, index } = itemsIn(holed)[at]!;
    Reflect.deleteProperty(list, index);
    const filled = structuredClone(value);
    const same = itemsIn(filled)[at]!;
    same.list[same.index] = undefined;
    yield [holed, filled];
  }
}

interface Item {
  readonly list: unknown[];
  readonly index: number;
}

const itemsIn = (value: unknown): readonly Item[] => {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? value.map((_, index): Item => ({ list: value, index })) : [];
  return [...own, ...Object.values(value).flatMap(itemsIn)];
};
