import { describe, expect, it } from 'vitest';
import {
  everywhereLinks,
  pathLinksIn,
  withEverywhereLinks,
} from '../../../src/workflow/convert/everywhere.js';
import { convert } from '../helpers/converted.js';
import type { Problem } from '../../../src/core/protocol/problem.js';

const link = (upstream: unknown, downstream: unknown, more: object = {}) => ({
  ...{ upstream, upstream_slot: 1, downstream, downstream_slot: 0 },
  ...more,
});
const graph = (links: unknown, more: object = {}) => ({
  nodes: [
    { id: 1, type: 'A' },
    { id: 2, type: 'B', inputs: [{ name: 'x' }, { name: 'y', link: 7 }, { name: 'z', link: null }] },
  ],
  links: [[7, 1, 0, 2, 1, 'X']],
  extra: { ue_links: links },
  ...more,
});

describe('links that "Use Everywhere" nodes made', () => {
  it('are those that the file lists', () => {
    expect(everywhereLinks(graph([link(1, 2), 5]))).toEqual([link(1, 2), {}]);
    expect([everywhereLinks(graph('x')), everywhereLinks({})]).toEqual([undefined, undefined]);
  });

  it('by paths are those of which one end is a path and both are there', () => {
    const links = pathLinksIn(
      graph([link('2', '8:5'), link('8:4', 3), link(1, 2), link(undefined, '8:5'), link('8:4', undefined)]),
    );
    expect([...links]).toEqual([
      ['8:5 0', { path: ['2'], slot: 1 }],
      ['3 0', { path: ['8', '4'], slot: 1 }],
    ]);
  });

  const made = (links: unknown, more: object = {}) => {
    const told: Problem[] = [];
    const given = graph(links, more);
    const result = withEverywhereLinks(given, (problem) => told.push(problem));
    return { given, result, told: told.map(({ message }) => message) };
  };

  it('are put into the inputs that have none', () => {
    const { result, told } = made([
      link(1, 2),
      link(1, 2, { downstream_slot: 2 }),
      link(1, 2, { downstream_slot: 1 }),
    ]);
    expect(told).toEqual([]);
    const [, node] = result['nodes'] as readonly { readonly inputs: unknown }[];
    expect(node?.inputs).toEqual([
      { name: 'x', link: 'everywhere 0' },
      { name: 'y', link: 7 },
      { name: 'z', link: 'everywhere 1' },
    ]);
    expect(result['links']).toEqual([
      [7, 1, 0, 2, 1, 'X'],
      ['everywhere 0', 1, 1, 2, 0],
      ['everywhere 1', 1, 1, 2, 2],
    ]);
  });

  it('leave a graph as it is where there are none, or only those by paths', () => {
    for (const links of [[], undefined, [link('8:4', 2)]]) {
      const { given, result } = made(links);
      expect(result).toBe(given);
    }
  });

  it('are told where the file lacks an end', () => {
    const words = (upstream: string, id: string) =>
      `Node ${id} (link) of a "Use Everywhere" node from node ${upstream} has an end that the file lacks: it is left out.`;
    expect(made([link(9, 2)]).told).toEqual([words('9', '2')]);
    expect(made([link(1, 9)]).told).toEqual([words('1', '9')]);
    expect(made([link(1, 2, { downstream_slot: 3 })]).told).toEqual([words('1', '2')]);
    expect(made([link(1, undefined)]).told).toEqual([words('1', '?')]);
    const { result, told } = made([link(-10, 2)]);
    expect([told, (result['links'] as readonly unknown[]).length]).toEqual([[], 2]);
  });

  it('go to the outputs of a subgraph that nothing feeds, in their order', () => {
    const outputs = [{}, {}, {}];
    const links = [{ id: 3, origin_id: 1, origin_slot: 0, target_id: -20, target_slot: 0 }];
    const { result, told } = made(
      [link(1, -20), link(1, -20, { downstream_slot: 1 }), link(1, -20, { downstream_slot: 2 })],
      { outputs, links },
    );
    expect((result['links'] as readonly unknown[]).slice(1)).toEqual([
      ['everywhere 0', 1, 1, -20, 1],
      ['everywhere 1', 1, 1, -20, 2],
    ]);
    expect(told).toHaveLength(1);
  });
});

it('links by paths into instances that do not run need no target there', () => {
  const uuid = '0c4a8c1e-6c53-4c3b-8d0a-0d9f4c0e8d11';
  const told = (mode: number) => {
    const ui = {
      nodes: [
        { id: 2, type: 'Checkpoint', widgets_values: ['a'] },
        { id: 8, type: uuid, mode, inputs: [] },
      ],
      links: [],
      extra: { ue_links: [link('2', '8:6')] },
      definitions: { subgraphs: [{ id: uuid, name: 'sub', inputs: [], outputs: [], nodes: [], links: [] }] },
    };
    return convert(ui).problems.map(({ nodeId, type }) => [nodeId, type]);
  };
  expect([told(0), told(2), told(4)]).toEqual([[['8:6', 'unused_link']], [], []]);
});
