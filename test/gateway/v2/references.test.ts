import { describe, expect, it } from 'vitest';
import { referencesOf, resolveReferences } from '../../../src/server/gateway/v2/references.js';

describe('references to assets', () => {
  const reference = (id: unknown) => ({ __type: 'core/ASSET', info: { id } });

  it('are replaced by what the service calls the file, wherever they stand', () => {
    const graph = {
      1: {
        class_type: 'X',
        inputs: { a: reference('one'), b: [7, { c: reference('two'), d: 'x' }], e: ['2', 0] },
      },
      2: { class_type: 'Y', inputs: { f: { __type: 'core/OTHER', info: { id: 'one' } } } },
    };
    const resolved = resolveReferences(
      graph,
      new Map([
        ['one', { name: 'cat.png', subfolder: 'in', type: 'input' }],
        ['two', { filename: 'out.png', type: 'output' }],
      ]),
    );
    expect(resolved).toEqual({
      workflow: {
        1: {
          class_type: 'X',
          inputs: { a: 'in/cat.png', b: [7, { c: 'out.png [output]', d: 'x' }], e: ['2', 0] },
        },
        2: graph[2],
      },
      missing: [],
    });
    // What has no reference is no copy.
    expect((resolved.workflow as typeof graph)[2]).toBe(graph[2]);
    expect(referencesOf(graph)).toEqual(['one', 'two']);
  });

  it('are looked for as deep as inputs nest, and no deeper, both where they are listed and replaced', () => {
    const nested = (levels: number) => {
      let value: unknown = reference('deep');
      for (let level = 0; level < levels; level += 1) value = [value];
      return { 1: { class_type: 'X', inputs: { a: value } } };
    };
    const seen = (levels: number) => [
      referencesOf(nested(levels)),
      resolveReferences(nested(levels), new Map()).missing,
    ];
    expect(seen(97)).toEqual([['deep'], ['deep']]);
    expect(seen(98)).toEqual([[], []]);
    expect(seen(150)).toEqual([[], []]);
  });

  it('to nothing are named, and one without an id is the empty text', () => {
    const graph = {
      1: { class_type: 'X', inputs: { a: reference('gone'), b: reference(7), c: reference('gone') } },
    };
    expect(resolveReferences(graph, new Map()).missing).toEqual(['gone', '']);
    for (const info of [null, undefined, 'text', 7, [], {}]) {
      const bare = { 1: { class_type: 'X', inputs: { a: { __type: 'core/ASSET', info } } } };
      expect([referencesOf(bare), resolveReferences(bare, new Map()).missing]).toEqual([[''], ['']]);
    }
  });
});
