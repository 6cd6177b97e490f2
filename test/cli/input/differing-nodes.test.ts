import { describe, expect, it } from 'vitest';
import { differingNodes } from '../../../src/cli/input/differing-nodes.js';

const node = (inputs: object, className = 'A') => ({ class_type: className, inputs: { ...inputs } });
const file = (nodes: readonly object[], links: readonly unknown[] = []) =>
  ({ nodes, links, version: 0.4 }) as never;
/** Whether node 1 of a graph, with this text, differs from that of the file with these values. */
const differs = (text: unknown, values: readonly unknown[]): boolean =>
  differingNodes({ 1: node({ text }) }, file([{ id: 1, type: 'A', widgets_values: values }])).length > 0;

describe('the nodes by which a graph differs from the file of the editor', () => {
  it('are those with a value that the file does not have', () => {
    expect(differs('a cat', ['a cat', 7])).toBe(false);
    expect(differs('a dog', ['a cat', 7])).toBe(true);
    expect([differs(7, ['7']), differs(8n, [7]), differs(true, [true]), differs(true, [false])]).toEqual([
      ...[false, true, false, true],
    ]);
    // What is no simple value is not compared.
    expect(differs({ a: 1 }, ['a cat'])).toBe(false);
  });

  it.each(['a {cat|dog}', '%date%', 'a cat // or', '/* a */ cat'])(
    'are none whose text the engine makes of another one: %s',
    (text) => {
      expect(differs('made', [text])).toBe(false);
      expect(differs('made', [7, text, 'more'])).toBe(false);
    },
  );

  it.each(['a/b', 'a * b', '50 percent', '(a)', '\\/'])('are those with a text as it stands: %s', (text) => {
    expect(differs('other', [text, 7])).toBe(true);
  });

  it('are those of another class, and those that the file lacks, but for nodes inside subgraphs', () => {
    const ui = file([{ id: 1, type: 'A', widgets_values: [] }]);
    expect(differingNodes({ 1: node({}) }, ui)).toEqual([]);
    expect(differingNodes({ 1: node({}, 'B'), 2: node({}), '3:4': node({}) }, ui)).toEqual(['1', '2']);
  });

  it('are those that are linked in the file, and that the graph lacks', () => {
    const lacking = (sockets: object) =>
      differingNodes(
        { 1: node({}) },
        file([
          { id: 1, type: 'A' },
          { id: 2, type: 'B', ...sockets },
        ]),
      );
    expect(lacking({ inputs: [{ name: 'a', link: 5 }] })).toEqual(['2']);
    expect(lacking({ outputs: [{ name: 'a', links: [5] }] })).toEqual(['2']);
    expect(lacking({ inputs: [{ name: 'a' }, { name: 'b', link: 0 }] })).toEqual(['2']);
    for (const sockets of [
      {},
      { inputs: [{ name: 'a', link: null }] },
      { inputs: [{ name: 'a' }, null] },
      { outputs: [{ name: 'a', links: [] }] },
      { outputs: [{ name: 'a', links: null }] },
      { inputs: 'x' },
    ])
      expect([sockets, lacking(sockets)]).toEqual([sockets, []]);
  });

  it('are those with another link', () => {
    const ui = file(
      [
        { id: 1, type: 'S', outputs: [{ name: 'X', type: 'X', links: [1] }] },
        { id: 2, type: 'S', outputs: [{ name: 'X', type: 'X', links: [] }] },
        { id: 3, type: 'T', inputs: [{ name: 'x', type: 'X', link: 1 }] },
      ],
      [[1, 1, 0, 3, 0, 'X']],
    );
    const graph = (id: string, slot = 0) => ({
      ...{ 1: node({}, 'S'), 2: node({}, 'S') },
      3: node({ x: [id, slot] }, 'T'),
    });
    expect(differingNodes(graph('1'), ui)).toEqual([]);
    expect(differingNodes(graph('2'), ui)).toEqual(['3']);
    expect(differingNodes(graph('1', 1), ui)).toEqual(['3']);
  });
});
