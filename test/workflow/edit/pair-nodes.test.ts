import { expect, it } from 'vitest';
import { namePart, readingsOf } from '../../../src/workflow/edit/name.js';
import { pairNodes } from '../../../src/workflow/edit/pair-nodes.js';

const node = (class_type: string, inputs: Record<string, unknown> = {}, title?: string) => ({
  ...{ class_type, inputs },
  ...(title !== undefined && { _meta: { title } }),
});
const pairs = (...graphs: Parameters<typeof pairNodes>) =>
  Object.fromEntries([...pairNodes(...graphs)].filter(([id, former]) => id !== former));

it('nodes that share their class alone are others', () => {
  expect([...pairNodes({ 1: node('A', { v: 1 }, 'x') }, { 2: node('A', { v: 2 }, 'y') })]).toEqual([]);
  expect(pairs({ 1: node('A', { v: 1 }, 'x') }, { 2: node('A', { v: 2 }, 'x') })).toEqual({ 2: '1' });
  expect([...pairNodes({ 1: node('A') }, { 1: node('B') })]).toEqual([['1', '1']]);
});

it('nodes that are alike are the same by what they take from, and by what takes from them', () => {
  const before = {
    ...{ 1: node('Load', { v: 1 }), 2: node('Load', { v: 2 }) },
    ...{ 3: node('Mid', { x: ['1', 0] }), 4: node('Mid', { x: ['2', 0] }) },
  };
  const after = {
    ...{ 11: node('Load', { v: 1 }), 12: node('Load', { v: 2 }) },
    ...{ 14: node('Mid', { x: ['11', 0] }), 13: node('Mid', { x: ['12', 0] }) },
  };
  expect(pairs(before, after)).toEqual({ 11: '1', 12: '2', 13: '4', 14: '3' });
  // Another slot is another content.
  const other = { ...after, 14: node('Mid', { x: ['11', 1] }) };
  expect(pairs(before, other)).toMatchObject({ 13: '4', 14: '3' });
});

it('nodes that are alike are told apart by what takes from them, where there are more of them than before', () => {
  const join = (id: string) => node('Join', { x: [id, 0] });
  const before = { 1: node('Load', { v: 1 }), 9: join('1') };
  const after = { 2: node('Load', { v: 1 }), 3: node('Load', { v: 1 }), 9: join('3') };
  expect(pairs(before, after)).toEqual({ 3: '1' });
});

it('the order of their inputs tells no nodes apart', () => {
  const before = { 1: node('A', { a: 1, b: 2 }), 2: node('A', { a: 1, b: 3 }) };
  const after = { 11: node('A', { b: 3, a: 1 }), 12: node('A', { b: 2, a: 1 }) };
  expect(pairs(before, after)).toEqual({ 11: '2', 12: '1' });
});

it('as many nodes that nothing tells apart are the same, in their order', () => {
  const many = (...ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, node('A')]));
  expect(pairs(many('1', '2'), many('11', '12', '13'))).toEqual({ 11: '1', 12: '2' });
  expect(pairs(many('1', '2'), many('2', '3'))).toEqual({ 3: '1' });
});

it.each([
  ['a.b', [['a', 'b']]],
  [
    'a.b.c',
    [
      ['a.b', 'c'],
      ['a', 'b.c'],
    ],
  ],
  ['a\\.b.c', [['a.b', 'c']]],
  ['a\\=b\\\\.c', [['a=b\\', 'c']]],
  ['a\\b.c', [['a\\b', 'c']]],
  ['a.\n', [['a', '\n']]],
  ['😀.b', [['😀', 'b']]],
  ['ab', []],
  ['.b', []],
  ['a.', []],
  ['..', []],
  ['', []],
] as const)('the name %j is read as %j', (name, readings) => {
  expect(readingsOf(name).map(({ node: of, input }) => [of, input])).toEqual(readings);
});

it('a part of a name is read as it is', () => {
  expect(namePart('a.b=c\\d')).toBe('a\\.b\\=c\\\\d');
});
