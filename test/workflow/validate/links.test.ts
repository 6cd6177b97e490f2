import { describe, expect, it } from 'vitest';
import { definitions } from './definitions.js';
import { validateWorkflow } from '../../../src/workflow/validate/validate-workflow.js';

const link = (input: string, value: unknown) =>
  validateWorkflow(
    {
      t: { class_type: 'Types', inputs: {} },
      '3': { class_type: 'Nothing', inputs: {} },
      s: { class_type: 'Sink', inputs: { [input]: value } },
    },
    definitions,
  )
    .filter(({ type }) => type !== 'unreachable_node')
    .map(({ nodeId, type, fix }) => [nodeId, type, ...(fix === undefined ? [] : [fix])]);

describe('a link', () => {
  it.each([
    ['image', ['t', 7]],
    ['int', ['t', 0]],
    ['int', ['t', 3]],
    ['union', ['t', 1]],
    ['spaced', ['t', 0]],
    ['spaced', ['t', 2]],
    ['choice', ['t', 5]],
    ['fresh', ['t', 6]],
    ['star', ['t', 8]],
    ['image', ['t', 4]],
    ['choice', ['t', 4]],
  ])('passes into %s as %j', (input, value) => {
    expect(link(input, value)).toEqual([]);
  });

  it.each([
    ['float', ['t', 0], ['t', 1]],
    ['int', ['t', 8], ['t', 0]],
    ['choice', ['t', 2], undefined],
    ['choice', ['t', 6], undefined],
    ['choice', ['t', 9], undefined],
    ['fresh', ['t', 5], ['t', 6]],
    ['string', ['t', 5], ['t', 2]],
  ])('mismatches %s as %j', (input, value, fix) => {
    expect(link(input, value)).toEqual([
      fix === undefined ? ['s', 'return_type_mismatch'] : ['s', 'return_type_mismatch', fix],
    ]);
  });

  it.each([
    ['image', [], []],
    ['image', ['t'], []],
    ['image', ['t', 0, 0], []],
    ['tags', ['r'], [{ __value__: ['r'] }]],
    ['tags', ['r', 'g', 'zz'], []],
  ])('of another length in %s is %j', (input, value, fix) => {
    expect(link(input, value)).toEqual([['s', 'bad_linked_input', ...fix]]);
  });

  it.each([
    [['gone', 0], undefined],
    [[null, 0], undefined],
    [[['t'], 0], undefined],
    [[{}, 0], undefined],
    [['toString', 0], undefined],
    [['__proto__', 0], undefined],
    [
      [3, 0],
      ['3', 0],
    ],
    [
      ['t ', 7],
      ['t', 7],
    ],
    [['t', 10], undefined],
    [['t', -11], undefined],
    [['t', 0.5], undefined],
    [['t', '7'], undefined],
    [['t', null], undefined],
    [['t', NaN], undefined],
  ])('to nowhere throws as %j', (value, fix) => {
    const types = link('image', value);
    expect(types).toHaveLength(1);
    expect(types[0]?.slice(0, 2)).toEqual(['s', 'exception_during_validation']);
    if (fix !== undefined) expect(types[0]?.[2]).toEqual(fix);
  });

  it.each([
    ['image', -3, 7],
    ['float', true, 1],
    ['int', false, 0],
  ])('counts its slot as Python does in %s: %j', (input, index, slot) => {
    expect(link(input, ['t', index])).toEqual([['s', 'link_index_coerced', ['t', slot]]]);
  });

  it('to a missing slot names the one that fits', () => {
    const problems = validateWorkflow(
      { n: { class_type: 'Nothing', inputs: {} }, s: { class_type: 'Save', inputs: { images: ['n', 1] } } },
      definitions,
    );
    expect(problems).toMatchObject([{ nodeId: 's', input: 'images', fix: ['n', 0] }]);
  });

  it('from an output whose type is no text is a mismatch', () => {
    const odd = { Odd: { input: {}, output: [{ toString: 1 }] }, ...definitions };
    const workflow = {
      o: { class_type: 'Odd', inputs: {} },
      s: { class_type: 'Save', inputs: { images: ['o', 0] } },
    };
    expect(validateWorkflow(workflow, odd)).toMatchObject([{ type: 'return_type_mismatch' }]);
  });

  it('of several choices at once is a list to be wrapped', () => {
    expect(link('tags', ['r', 'g'])).toEqual([
      ['s', 'exception_during_validation', { __value__: ['r', 'g'] }],
    ]);
  });

  it('makes a wide chain of mismatches visible at their node only', () => {
    const problems = validateWorkflow(
      {
        bad: { class_type: 'Loader', inputs: { ckpt_name: 'gone' } },
        s: { class_type: 'Save', inputs: { images: ['bad', 0] } },
      },
      definitions,
    );
    expect(problems.map(({ nodeId, type }) => [nodeId, type])).toEqual([['s', 'return_type_mismatch']]);
  });
});

describe('a link of the wrong type', () => {
  const into = (type: unknown, outputs: readonly unknown[], slot: number) =>
    validateWorkflow(
      {
        t: { class_type: 'From', inputs: {} },
        s: { class_type: 'To', inputs: { a: ['t', slot] } },
      },
      {
        From: { input: {}, output: outputs },
        To: { input: { required: { a: [type] } }, output: [], output_node: true },
      },
    ).map(({ message, fix }) => [message, fix]);

  it.each([
    [
      'INT',
      ['STRING', 'INT,FLOAT'],
      0,
      'Node s (To): a takes INT, but slot 0 of node t (From) gives STRING.',
      ['t', 1],
    ],
    [
      'INT',
      ['STRING', 'INT,FLOAT', '*'],
      0,
      'Node s (To): a takes INT, but slot 0 of node t (From) gives STRING.',
      undefined,
    ],
    [
      ['a', 'b'],
      [
        ['a', 'c'],
        ['b', 'a'],
      ],
      0,
      'Node s (To): a takes one of a list, but slot 0 of node t (From) gives one of a list.',
      undefined,
    ],
    [
      'INT',
      [7, 'INTEGER'],
      0,
      'Node s (To): a takes INT, but slot 0 of node t (From) gives an unknown type.',
      undefined,
    ],
    ['a', [['a']], 0, 'Node s (To): a takes a, but slot 0 of node t (From) gives one of a list.', undefined],
    [
      'MY_COMFY_A_V3',
      ['INT'],
      0,
      'Node s (To): a takes MY_COMFY_A_V3, but slot 0 of node t (From) gives INT.',
      undefined,
    ],
    [
      'COMFY_A_V3_OLD',
      ['INT'],
      0,
      'Node s (To): a takes COMFY_A_V3_OLD, but slot 0 of node t (From) gives INT.',
      undefined,
    ],
  ])('%j from %j by slot %i is said, with the only output that fits', (type, outputs, slot, message, fix) => {
    expect(into(type, outputs, slot)).toEqual([[message, fix]]);
  });
});
