import { mergeOutputs } from '../../src/core/state/merge-outputs.js';
import { describe, expect, it } from 'vitest';
import { type Outputs, readOutputs } from '../../src/core/state/outputs.js';

const a = { filename: 'a.png', subfolder: '', type: 'output' };
const b = { filename: 'b.png', subfolder: '', type: 'output' };

describe('mergeOutputs', () => {
  it('unites nodes, keys and files', () => {
    expect(
      mergeOutputs(
        { '1': { images: [a] }, '2': { text: ['x'] } },
        { '1': { images: [a, b], audio: [a] }, '3': { images: [b] } },
      ),
    ).toEqual({ '1': { images: [a, b], audio: [a] }, '2': { text: ['x'] }, '3': { images: [b] } });
  });

  it('lists a file once, as the first source reported it', () => {
    const named = { filename: 'a.png', display_name: 'Mine' };
    expect(mergeOutputs({ '1': { images: [named] } }, { '1': { images: [a, a] } })).toEqual({
      '1': { images: [named] },
    });
    expect(mergeOutputs({}, { '1': { images: [a, named] } })).toEqual({ '1': { images: [a] } });
  });

  it.each([
    { filename: 'b.png' },
    { filename: 'a.png', subfolder: 's' },
    { filename: 'a.png', type: 'temp' },
  ])('distinguishes %j from a.png', (other) => {
    expect(mergeOutputs({ '1': { images: [a] } }, { '1': { images: [other] } })).toEqual({
      '1': { images: [a, other] },
    });
  });

  it('has data as often as the source that has it more often', () => {
    expect(mergeOutputs({ '1': { n: [1, 1, 2] } }, { '1': { n: [1, 2, 2] } })).toEqual({
      '1': { n: [1, 1, 2, 2] },
    });
    expect(mergeOutputs({ '1': { n: [{ x: 1, y: 2 }] } }, { '1': { n: [{ y: 2, x: 1 }] } })).toEqual({
      '1': { n: [{ x: 1, y: 2 }] },
    });
  });

  it('counts equal data, what is known and what is new', () => {
    const known: Outputs = { '1': { n: [1, 1] } };
    expect(mergeOutputs(known, { '1': { n: [1, 1] } })).toBe(known);
    expect(mergeOutputs(known, { '1': { n: [3, 3] } })).toEqual({ '1': { n: [1, 1, 3, 3] } });
  });

  it('keeps the first of two values that are not arrays, and always keeps an array', () => {
    expect(mergeOutputs({ '1': { text: 'first' } }, { '1': { text: 'second' } })).toEqual({
      '1': { text: 'first' },
    });
    expect(mergeOutputs({ '1': { text: null } }, { '1': { text: 'second' } })).toEqual({
      '1': { text: 'second' },
    });
    expect(mergeOutputs({ '1': { images: [a] } }, { '1': { images: 'none' } })).toEqual({
      '1': { images: [a] },
    });
    expect(mergeOutputs({ '1': { images: 'none' } }, { '1': { images: [a] } })).toEqual({
      '1': { images: [a] },
    });
  });

  it('keeps nodes and keys without anything in them', () => {
    expect(mergeOutputs({}, { '1': {}, '2': { images: [] } })).toEqual({ '1': {}, '2': { images: [] } });
  });

  it('gives the same object where nothing is new, and shares the nodes that stay', () => {
    const known: Outputs = { '1': { images: [a, b] }, '2': { text: ['x'] } };
    expect(mergeOutputs(known, {})).toBe(known);
    expect(mergeOutputs(known, { '1': { images: [b] }, '2': {} })).toBe(known);
    expect(mergeOutputs(known, { '2': { text: ['y'] } })['1']).toBe(known['1']);
  });

  it('gives each node as an object like any of JSON, whichever source it is of', () => {
    const merged = mergeOutputs({ 1: { images: [a] } }, { 1: { images: [b] }, 2: { text: ['t'] } });
    expect({ ...merged }).toStrictEqual({ 1: { images: [a, b] }, 2: { text: ['t'] } });
  });

  it('writes to neither source', () => {
    const known: Outputs = Object.freeze({ '1': Object.freeze({ images: Object.freeze([a]) }) });
    const reported: Outputs = Object.freeze({ '1': Object.freeze({ images: Object.freeze([b]) }) });
    expect(mergeOutputs(known, reported)).toEqual({ '1': { images: [a, b] } });
  });

  it('compares what is nested very deep by identity', () => {
    const deep = Array.from({ length: 10_000 }).reduce<unknown>((inner) => [inner], 1);
    const known = mergeOutputs({}, { '1': { odd: [deep] } });
    expect(mergeOutputs(known, { '1': { odd: [deep] } })).toBe(known);
  });

  it('takes any node id and any key', () => {
    const odd = readOutputs(JSON.parse('{"__proto__": {"__proto__": [{"filename": "a.png"}]}}'));
    const merged = mergeOutputs(mergeOutputs(readOutputs({}), odd), odd);
    expect(JSON.stringify(merged)).toBe('{"__proto__":{"__proto__":[{"filename":"a.png"}]}}');
    expect(Object.getPrototypeOf(merged)).toBeNull();
    expect(mergeOutputs({}, { constructor: { name: 'x' } })).toEqual({ constructor: { name: 'x' } });
    expect(mergeOutputs({ '1': { a: 1 } }, { '1': { toString: 'x' } })).toEqual({
      '1': { a: 1, toString: 'x' },
    });
    expect(mergeOutputs({}, { '1': {} })['1']).toStrictEqual({});
  });
});
