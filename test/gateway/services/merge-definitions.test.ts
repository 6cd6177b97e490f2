import { describe, expect, it } from 'vitest';
import { mergeDefinitions } from '../../../src/server/gateway/services/merge-definitions.js';
import type { NodeInfo } from '../../../src/core/endpoints/object-info.js';

const classOf = (input: NodeInfo['input'], category = 'first'): NodeInfo => ({
  ...{ input, output: ['IMAGE'], output_node: false, name: 'Load', category },
});

/** What the input `name` of a class takes on two servers together. */
const merged = (one: readonly unknown[], other?: readonly unknown[]): unknown =>
  mergeDefinitions([
    { Load: classOf({ required: { name: one } }) },
    { Load: classOf({ required: other === undefined ? {} : { name: other } }) },
  ])['Load']?.input.required?.['name'];

describe('the node classes of several servers', () => {
  it('are those that any of them has, each as the first one describes it', () => {
    const known = mergeDefinitions([
      { Load: classOf({}), Save: classOf({}) },
      { Load: classOf({}, 'second'), toString: classOf({}, 'second') },
      { Third: classOf({}, 'third') },
    ]);
    expect(Object.entries(known).map(([name, { category }]) => [name, category])).toEqual([
      ['Load', 'first'],
      ['Save', 'first'],
      ['toString', 'second'],
      ['Third', 'third'],
    ]);
    expect(mergeDefinitions([])).toEqual({});
  });

  it.each([
    ['a list', [['a', 'b']], [['b', 'c']], [['a', 'b', 'c']]],
    [
      'a list with options',
      [['a'], { default: 'a' }],
      [['b'], { default: 'b' }],
      [['a', 'b'], { default: 'a' }],
    ],
    ['more members', [['a'], {}, 'more'], [['b']], [['a', 'b'], {}, 'more']],
    [
      'a list in the options',
      ['COMBO', { options: ['a'], default: 'a' }, 'more'],
      ['COMBO', { options: ['b', 'a'] }],
      ['COMBO', { options: ['a', 'b'], default: 'a' }, 'more'],
    ],
    ['no list on the second server', [['a'], { tooltip: 't' }], ['STRING'], [['a'], { tooltip: 't' }]],
    ['no list on the first server', ['STRING', {}, 'more'], [['a']], ['STRING', {}, 'more']],
    [
      'options without a list on the first server',
      ['STRING', {}],
      ['COMBO', { options: ['a'] }],
      ['STRING', {}],
    ],
    ['no list at all', ['INT'], ['INT'], ['INT']],
    [
      'options without a list',
      ['COMBO', { options: ['a'] }],
      ['COMBO', { options: 'b' }],
      ['COMBO', { options: ['a'] }],
    ],
    ['an input that the second server lacks', [['a']], undefined, [['a']]],
  ])('have the choices of all of them: %s', (_, one, other, both) => {
    expect(merged(one, other)).toEqual(both);
  });

  it('merge required and optional inputs apart, as far as the first server has them', () => {
    const [first, second] = [{ name: [['a']] }, { name: [['b']], more: [['c']] }];
    const inputOf = (...inputs: readonly NodeInfo['input'][]) =>
      mergeDefinitions(inputs.map((input) => ({ Load: classOf(input) })))['Load']?.input;
    expect(inputOf({ required: first, hidden: { key: 'KEY' } }, { optional: second })).toEqual({
      ...{ required: first, hidden: { key: 'KEY' } },
    });
    expect(inputOf({ optional: first }, { required: second, optional: second })).toEqual({
      optional: { name: [['a', 'b']] },
    });
    expect(inputOf({ optional: first }, {}, { optional: second })).toEqual({
      optional: { name: [['a', 'b']] },
    });
  });
});
