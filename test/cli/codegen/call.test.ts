import { callCode, member, onOneLine } from '../../../src/cli/codegen/call.js';
import { describe, expect, it } from 'vitest';
import { linkOf, ordered } from '../../../src/cli/codegen/ordered.js';
import { literal, memberCode, singleQuoted } from '../../../src/cli/codegen/literal.js';
import { variableNames } from '../../../src/cli/codegen/variable-names.js';
import type { Workflow } from '../../../src/workflow.js';

describe('the code of a call', () => {
  it('stands on one line of up to 100 characters', () => {
    const long = (length: number) => [member('a', 'x'.repeat(length))];
    expect(callCode('g.A', [])).toBe('g.A();');
    expect(callCode('g.A', ['b', []])).toBe('g.A(b, {});');
    // g.A({ a: '…' }); has 15 characters besides.
    expect(callCode('g.A', [long(85)]).length).toBe(100);
    expect(callCode('g.A', [long(85)])).not.toContain('\n');
    expect(callCode('g.A', [long(86)])).toBe(`g.A({\n  a: '${'x'.repeat(86)}',\n});`);
    expect(callCode('g.A', ["'b'", long(85)])).toBe(`g.A('b', {\n  a: '${'x'.repeat(85)}',\n});`);
    expect(callCode(`g.${'A'.repeat(120)}`, [])).toBe(`g.${'A'.repeat(120)}();`);
    expect(callCode(`g.${'A'.repeat(120)}`, ['b'])).toBe(`g.${'A'.repeat(120)}(b);`);
    expect(callCode(`g.${'A'.repeat(120)}`, [[]])).toBe(`g.${'A'.repeat(120)}({});`);
  });

  it('gives each of two objects lines of its own where they need them', () => {
    const first = [member('a', 'x'.repeat(60))];
    const second = (length: number) => [member('b', 'y'.repeat(length)), member('c', 1)];
    const start = `g.A(\n  { a: '${'x'.repeat(60)}' },\n`;
    // `{ b: '…', c: 1 }` has 15 characters besides.
    expect(callCode('g.A', [first, second(82)])).toBe(`${start}  { b: '${'y'.repeat(82)}', c: 1 },\n);`);
    expect(callCode('g.A', [first, second(83)])).toBe(
      `${start}  {\n    b: '${'y'.repeat(83)}',\n    c: 1,\n  },\n);`,
    );
  });

  it('has members by name', () => {
    expect(onOneLine([member('a', 1), member('b c', null)])).toBe("{ a: 1, 'b c': null }");
    expect([onOneLine([]), onOneLine('code')]).toEqual(['{}', 'code']);
  });
});

it.each<readonly [unknown, string]>([
  ['a', "'a'"],
  ["it's", '"it\'s"'],
  ['say "a"', '\'say "a"\''],
  ['it\'s "a"', '"it\'s \\"a\\""'],
  [2n ** 64n, '18446744073709551616n'],
  [-0, '-0'],
  [0, '0'],
  [true, 'true'],
  [null, 'null'],
  [[1, ['a']], "[1, ['a']]"],
  [{}, '{}'],
  [{ a: { 'b-c': 1 } }, "{ a: { 'b-c': 1 } }"],
  [JSON.parse('{"__proto__":1}'), "{ ['__proto__']: 1 }"],
])('the value %o is the code %s', (value, code) => {
  expect(literal(value)).toBe(code);
});

it('names and texts are code that nothing in them ends', () => {
  expect(['a1', '$x', '1a', '', 'ä'].map(memberCode)).toEqual(['a1', '$x', "'1a'", "''", "'ä'"]);
  expect(singleQuoted('a\n\u2028\\')).toBe("'a\\n\\u2028\\\\'");
});

describe('the order of nodes', () => {
  const graph = (links: Record<string, readonly string[]>): Workflow =>
    Object.fromEntries(
      Object.entries(links).map(([id, to]) => [
        id,
        { class_type: 'A', inputs: Object.fromEntries(to.map((other, at) => [`x${at}`, [other, 0]])) },
      ]),
    );

  it('has each after what it links to, and otherwise their own', () => {
    expect(ordered(graph({ a: [], b: [], c: [] }))).toEqual(['a', 'b', 'c']);
    expect(ordered(graph({ a: ['c', 'b'], b: ['d'], c: [], d: [] }))).toEqual(['c', 'd', 'b', 'a']);
    expect(ordered(graph({ a: ['b'], b: ['a'], c: ['c', 'none'] }))).toEqual(['b', 'a', 'c']);
    expect(ordered({ a: { class_type: 'A', inputs: undefined as never } })).toEqual(['a']);
  });

  it('goes by links to nodes of the workflow', () => {
    const one = graph({ a: [] });
    expect(linkOf(one, ['a', 3])).toEqual({ nodeId: 'a', slot: 3 });
    for (const value of [
      ['b', 0],
      ['a', -1],
      ['a', -0],
      ['a', 0.5],
      ['a', '0'],
      ['a'],
      ['a', 0, 0],
      'a',
      null,
      [1, 0],
      ['toString', 0],
    ])
      expect([value, linkOf(one, value)]).toEqual([value, undefined]);
    // A number is no id, though there is a node of that name.
    expect(linkOf(graph({ 1: [] }), [1, 0])).toBeUndefined();
  });
});

it('a node is a variable by its short title, else by its class, with no name twice', () => {
  const nameFor = variableNames();
  const name = (class_type: string, title?: string) =>
    nameFor({ class_type, inputs: {}, ...(title !== undefined && { _meta: { title } }) });
  expect(name('CLIPTextEncode', 'Positive prompt')).toBe('positivePrompt');
  expect([name('CLIPTextEncode'), name('VAE'), name('KSampler'), name('LoRA2'), name('ABCd')]).toEqual([
    ...['clipTextEncode', 'vae', 'kSampler', 'loRA2', 'abCd'],
  ]);
  expect([name('VAE'), name('VAE')]).toEqual(['vae2', 'vae3']);
  expect([name('A', 'x'.repeat(30)), name('B', 'y'.repeat(31))]).toEqual(['x'.repeat(30), 'b']);
  expect([name('…'), name('…', '!'), name('3D', '')]).toEqual(['node', 'node2', '_3D']);
  expect([name('class'), name('g'), name('workflow')]).toEqual(['class2', 'g2', 'workflow2']);
});
