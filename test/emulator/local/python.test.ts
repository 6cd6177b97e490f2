import {
  createPythonHeap,
  pythonJson,
  pythonNumber,
  pythonText,
} from '../../../src/emulator/local/python.js';
import { describe, expect, it } from 'vitest';
import { PythonFloat } from '../../../src/emulator/python-float.js';

describe('pythonJson', () => {
  it('puts blanks after commas and colons', () => {
    expect(pythonJson({ a: [1, 'x', null], b: { c: true }, d: undefined })).toBe(
      '{"a": [1, "x", null], "b": {"c": true}}',
    );
  });

  it('escapes everything but ASCII, also in names', () => {
    expect(pythonJson({ é: 'ok ✗ 🙂\n"\u007f' })).toBe(
      '{"\\u00e9": "ok \\u2717 \\ud83d\\ude42\\n\\"\\u007f"}',
    );
  });

  it('writes the numbers that JSON does not know as bare words', () => {
    expect(pythonJson([NaN, Infinity, -Infinity, -0, -1.5])).toBe('[NaN, Infinity, -Infinity, 0, -1.5]');
  });

  it('writes floats with their point', () => {
    expect(pythonJson([new PythonFloat(7), new PythonFloat(-77.5), new PythonFloat(1e20)])).toBe(
      '[7.0, -77.5, 1e+20]',
    );
  });

  it('reads back as what it was', () => {
    const value = { text: 'ü\t"', list: [1, [2, {}], []], none: null };
    expect(JSON.parse(pythonJson(value))).toEqual(value);
  });
});

describe('pythonText', () => {
  it.each([
    ['a', 'a'],
    ['', ''],
    [42, '42'],
    [null, 'None'],
    [true, 'True'],
    [false, 'False'],
  ])('writes %j as %s', (value, text) => {
    expect(pythonText(value)).toBe(text);
  });
});

describe('pythonNumber', () => {
  it('reads numbers, texts of numbers and truth values', () => {
    expect([7, '-77.5', true].map(pythonNumber)).toEqual([7, -77.5, 1]);
  });

  it.each(['abc', '', null, [], {}])('stumbles over %j', (value) => {
    expect(() => pythonNumber(value)).toThrow('could not convert');
  });
});

const heapOf = (...numbers: readonly number[]) => {
  const heap = createPythonHeap<number>((a, b) => {
    if (a === b) throw new Error('equal');
    return a < b;
  });
  for (const number of numbers) heap.push(number);
  return heap;
};

const drain = (heap: ReturnType<typeof heapOf>): readonly number[] => {
  const popped: number[] = [];
  for (let next = heap.pop(); next !== undefined; next = heap.pop()) popped.push(next);
  return popped;
};

describe('createPythonHeap', () => {
  it('pops in order after any order of pushes', () => {
    expect(drain(heapOf(5, 3, 9, -1, 7, 4, 8, 0))).toEqual([-1, 0, 3, 4, 5, 7, 8, 9]);
  });

  it('lies in heap order and not in order', () => {
    expect(heapOf(13, -14, -77.5).items).toEqual([-77.5, 13, -14]);
  });

  it('keeps an item that can not be compared at its end', () => {
    const heap = heapOf(1);
    expect(() => heap.push(1)).toThrow('equal');
    expect(heap.items).toEqual([1, 1]);
  });

  it('removes one item that matches and stays a heap', () => {
    const heap = heapOf(5, 3, 9, -1, 7, 4);
    expect(heap.remove((item) => item === 3)).toBe(true);
    expect(heap.remove((item) => item === 3)).toBe(false);
    expect(drain(heap)).toEqual([-1, 4, 5, 7, 9]);
  });

  it('forgets everything at once', () => {
    const heap = heapOf(1, 2);
    heap.clear();
    expect(heap.pop()).toBeUndefined();
  });
});
