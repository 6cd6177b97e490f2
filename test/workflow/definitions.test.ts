import { describe, expect, it } from 'vitest';
import { type NodeDefinitions, readDefinition } from '../../src/workflow/definitions.js';

const sampler = {
  input: {
    required: { '1': ['INT', { default: 1 }], b: ['MODEL'], '10': [['x', 'y'], { default: 'y' }] },
    optional: { pick: ['COMBO', { options: ['one'] }], far: ['COMBO', { remote: {} }], b: ['CLIP'] },
    hidden: { prompt: 'PROMPT' },
  },
  input_order: { required: ['10', 'b', 'gone'] },
  output: ['LATENT', ['x', 'y']],
  output_node: true,
  display_name: 'Sampler',
};

describe('readDefinition', () => {
  it('reads inputs in the order of input_order, then those that it lacks', () => {
    const read = readDefinition({ Sampler: sampler }, 'Sampler');
    expect(read?.inputs.map(({ name, group, type }) => [name, group, type])).toEqual([
      ['10', 'required', 'COMBO'],
      ['b', 'required', 'MODEL'],
      ['1', 'required', 'INT'],
      ['pick', 'optional', 'COMBO'],
      ['far', 'optional', 'COMBO'],
    ]);
    expect(read?.inputOf('10')).toMatchObject({ choices: ['x', 'y'], isListForm: true });
    expect(read?.inputOf('pick')).toMatchObject({ choices: ['one'], isListForm: false });
    expect(read?.inputOf('far')?.choices).toBeUndefined();
    expect(read).toMatchObject({
      hidden: ['prompt'],
      outputs: ['LATENT', 'COMBO'],
      isOutputNode: true,
      displayName: 'Sampler',
    });
  });

  it('reads a class once', () => {
    const definitions = { Sampler: sampler };
    expect(readDefinition(definitions, 'Sampler')).toBe(readDefinition(definitions, 'Sampler'));
  });

  it.each([
    [{ A: {} }],
    [{ A: { input: null, output: 'IMAGE', input_order: 3 } }],
    [{ A: { input: { required: [1], optional: { a: 'INT', b: [], c: null } } } }],
    [{ A: { input: { required: 'x' }, input_order: { required: [null, 'toString'] } } }],
  ])('reads what is usable of %j', (definitions) => {
    expect(readDefinition(definitions, 'A')).toMatchObject({ outputs: [], isOutputNode: false });
  });

  it('knows no class that the definitions only inherit', () => {
    expect(readDefinition({}, 'toString')).toBeUndefined();
    expect(readDefinition({ A: 7 }, 'A')).toBeUndefined();
    expect(readDefinition(undefined, 'A')).toBeUndefined();
    expect(
      readDefinition(JSON.parse('{"__proto__": {"output": ["X"]}}') as object as NodeDefinitions, '__proto__')
        ?.outputs,
    ).toEqual(['X']);
  });
});
