import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { readObjectInfo } from '../../src/core/endpoints/object-info.js';

const node = {
  input: {
    required: { seed: ['INT', { default: 0, max: 18446744073709551615 }], sampler: [['euler', 'ddim']] },
    optional: { mode: ['COMBO', { options: ['a'] }] },
    hidden: { prompt: 'PROMPT', id: ['UNIQUE_ID'] },
  },
  output: ['IMAGE', ['a', 'b']],
  output_node: false,
  name: 'K',
  display_name: null,
  description: '',
  category: 'sd',
  python_module: 'nodes',
  deprecated: true,
};

describe('readObjectInfo', () => {
  it('keeps every member of a class, known or not', () => {
    expect(readObjectInfo({ K: node })).toEqual(E.right(Object.assign(Object.create(null), { K: node })));
  });

  it('leaves out what describes no class', () => {
    const input = { required: { a: 'INT' } };
    const broken = [
      null,
      [],
      5,
      {},
      { ...node, name: 5 },
      { ...node, output: 'IMAGE' },
      { ...node, input: [] },
    ];
    for (const bad of [...broken, { ...node, input }, { ...node, display_name: 5 }]) {
      const read = readObjectInfo({ K: node, bad });
      expect(E.isRight(read) && Object.keys(read.right)).toEqual(['K']);
    }
  });

  it('has no prototype, so a class may have any name', () => {
    const read = readObjectInfo(JSON.parse(`{"__proto__":${JSON.stringify(node)}}`));
    if (E.isLeft(read)) throw new Error(read.left);
    expect(Object.getPrototypeOf(read.right)).toBeNull();
    expect(Object.keys(read.right)).toEqual(['__proto__']);
  });

  it('takes the empty answer to an unknown class', () => {
    expect(E.isRight(readObjectInfo({}))).toBe(true);
  });

  it('refuses what is no map and a map without a usable class', () => {
    for (const json of [undefined, null, [], 'x', { a: 1 }])
      expect(E.isLeft(readObjectInfo(json))).toBe(true);
  });
});
