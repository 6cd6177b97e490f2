import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { diffWorkflows, type WorkflowChange } from '../../../src/workflow/edit/diff-workflows.js';
import type { Workflow, WorkflowNode } from '../../../src/core/protocol/workflow.js';
import { runs } from '../../helpers/runs.js';

const node = (class_type: string, inputs: Record<string, unknown> = {}, title?: string): WorkflowNode => ({
  class_type,
  inputs,
  ...(title !== undefined && { _meta: { title } }),
});

const workflow: Workflow = {
  '1': node('Loader', { name: 'a' }),
  '2': node('Text', { text: 'a cat', clip: ['1', 1] }, 'Positive'),
  '3': node('Text', { text: 'blur', clip: ['1', 1] }, 'Negative'),
  '4': node('Sampler', { seed: 7, positive: ['2', 0], negative: ['3', 0] }),
  '5': node('Preview', { images: ['4', 0] }),
};

/** The same workflow with other ids. */
const renumbered = (given: Workflow, newIdOf: (id: string) => string): Workflow =>
  Object.fromEntries(
    Object.entries(given).map(([id, { inputs, ...others }]) => [
      newIdOf(id),
      {
        ...others,
        inputs: Object.fromEntries(
          Object.entries(inputs).map(([name, value]) => [
            name,
            Array.isArray(value) && Object.hasOwn(given, String(value[0]))
              ? [newIdOf(String(value[0])), value[1] as unknown]
              : value,
          ]),
        ),
      },
    ]),
  );

describe('diffWorkflows', () => {
  it('compares values of any depth', () => {
    // No stack is as deep as the smaller one.
    const depth = Math.max(30_000, runs(100_000));
    const nested = (leaf: number): Workflow => {
      let value: unknown = leaf;
      for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { in: value };
      return { '1': node('Any', { value }) };
    };
    expect(diffWorkflows(nested(1), nested(1))).toHaveLength(0);
    expect(diffWorkflows(nested(1), nested(2)).map(({ _tag }) => _tag)).toEqual(['InputChanged']);
  });

  it('P7 pairs the nodes of a subgraph whose node has another id, also where several of a class changed', () => {
    const inside = (scope: string, seeds: readonly number[], text: string): Workflow => ({
      [`${scope}:1`]: node('Text', { text }),
      ...Object.fromEntries(seeds.map((seed, at) => [`${scope}:${at + 2}`, node('Noise', { seed })])),
      [`${scope}:9:1`]: node('Noise', { seed: seeds[0], text: [`${scope}:1`, 0] }),
      [`${scope}:9:2`]: node('Blur', { radius: 1, of: [`${scope}:9:1`, 0] }),
    });
    const before = { ...inside('8', [1, 2], 'a cat'), ...inside('10', [1, 2], 'a dog') };
    const after = { ...inside('11', [1, 2], 'a dog'), ...inside('12', [5, 6], 'a cat') };
    const changes = diffWorkflows(before, after);
    expect(changes.filter(({ _tag }) => _tag !== 'IdChanged' && _tag !== 'InputChanged')).toEqual([]);
    expect(changes.flatMap((one) => (one._tag === 'IdChanged' ? [`${one.from} ${one.nodeId}`] : []))).toEqual(
      [
        ...['10:1 11:1', '10:2 11:2', '10:3 11:3', '10:9:1 11:9:1', '10:9:2 11:9:2'],
        ...['8:1 12:1', '8:2 12:2', '8:3 12:3', '8:9:1 12:9:1', '8:9:2 12:9:2'],
      ],
    );
    expect(
      changes.flatMap((one) =>
        one._tag === 'InputChanged' ? [`${one.nodeId} ${String(one.from)} ${String(one.to)}`] : [],
      ),
    ).toEqual(['12:2 1 5', '12:3 2 6', '12:9:1 1 5']);
  });

  it('names what changed in a node', () => {
    const after = {
      ...workflow,
      '2': node('Text2', { text: 'a dog', size: 1 }, 'Subject'),
      '4': node('Sampler', { seed: 7n, positive: ['3', 0], negative: ['3', 0] }),
    };
    expect(diffWorkflows(workflow, after)).toEqual([
      { _tag: 'ClassChanged', nodeId: '2', from: 'Text', to: 'Text2' },
      { _tag: 'TitleChanged', nodeId: '2', from: 'Positive', to: 'Subject' },
      { _tag: 'InputChanged', nodeId: '2', input: 'text', from: 'a cat', to: 'a dog' },
      { _tag: 'InputChanged', nodeId: '2', input: 'clip', from: ['1', 1] },
      { _tag: 'InputChanged', nodeId: '2', input: 'size', to: 1 },
      { _tag: 'InputChanged', nodeId: '4', input: 'positive', from: ['2', 0], to: ['3', 0] },
    ]);
  });

  it('names nodes that came and went', () => {
    const { '5': preview, ...others } = workflow;
    expect(diffWorkflows(workflow, { ...others, '9': node('Save', { images: ['4', 0] }) })).toEqual([
      { _tag: 'NodeRemoved', nodeId: '5', node: preview },
      { _tag: 'NodeAdded', nodeId: '9', node: node('Save', { images: ['4', 0] }) },
    ]);
  });

  it.each([
    ['all ids moved', (id: string) => String(Number(id) + 1)],
    ['ids turned round', (id: string) => String(6 - Number(id))],
    ['two ids swapped', (id: string) => ({ '2': '3', '3': '2' })[id] ?? id],
  ])('knows nodes whose id alone is another: %s', (_, newIdOf) => {
    const changes = diffWorkflows(workflow, renumbered(workflow, newIdOf));
    expect(changes).toEqual(
      Object.keys(workflow)
        .filter((id) => newIdOf(id) !== id)
        .map((id) => ({ _tag: 'IdChanged', nodeId: newIdOf(id), from: id }))
        .toSorted((one, other) => Number(one.nodeId) - Number(other.nodeId)),
    );
  });

  it('tells nodes that are alike apart by their links', () => {
    const twins: Workflow = {
      '1': node('Loader', { name: 'a' }),
      '2': node('Loader', { name: 'b' }),
      '3': node('Preview', { images: ['1', 0] }),
      '4': node('Preview', { images: ['2', 0] }),
    };
    const ids: Record<string, string> = { '1': '2', '2': '1', '3': '4', '4': '5' };
    const changes = diffWorkflows(
      twins,
      renumbered(twins, (id) => ids[id] ?? id),
    );
    expect(changes.map(({ _tag }) => _tag)).toEqual(Array.from({ length: 4 }, () => 'IdChanged'));
  });

  it('knows a node with another id and another value, where it is the only one of its kind', () => {
    const after = renumbered(
      { ...workflow, '4': node('Sampler', { ...workflow['4']?.inputs, seed: 8 }) },
      (id) => `${id}0`,
    );
    expect(diffWorkflows(workflow, after)).toContainEqual({
      _tag: 'InputChanged',
      nodeId: '40',
      input: 'seed',
      from: 7,
      to: 8,
    });
    expect(
      diffWorkflows(workflow, after).every(({ _tag }) => _tag === 'IdChanged' || _tag === 'InputChanged'),
    ).toBe(true);
  });

  it('finds no change in the order of members, nor in other members of a node', () => {
    const before = { '1': node('A', { a: { x: 1, y: [2, { z: 3 }] }, b: 1 }) };
    const after = { '1': { ...node('A', { b: 1, a: { y: [2, { z: 3 }], x: 1 } }), is_changed: [1] } };
    expect(diffWorkflows(before, after)).toEqual([]);
    expect(diffWorkflows({ '1': node('A', { a: {} }) }, { '1': node('A', { a: [] }) })).toHaveLength(1);
  });
});

describe('the laws of a difference', () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom(1, 'a'),
    fc.tuple(fc.constantFrom('1', '2', 'x', '__proto__'), fc.nat(1)),
  );
  const nodes = fc.record({
    class_type: fc.constantFrom('A', 'B', 'C'),
    inputs: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), value),
    title: fc.option(fc.constantFrom('T', 'U'), { nil: undefined }),
  });
  const graph = fc
    .uniqueArray(fc.tuple(fc.constantFrom('1', '2', '3', 'x', '__proto__', '8:5'), nodes), {
      selector: ([id]) => id,
    })
    .map((entries): Workflow =>
      Object.fromEntries(
        entries.map(([id, { title, ...one }]) => [id, node(one.class_type, one.inputs, title)]),
      ),
    );

  /** Makes the second workflow of the first and the changes, links by the new ids. */
  const applied = (before: Workflow, changes: readonly WorkflowChange[]): Workflow => {
    const removed = new Set(
      changes.flatMap((change) => (change._tag === 'NodeRemoved' ? [change.nodeId] : [])),
    );
    const ids = new Map(
      changes.flatMap((change) =>
        change._tag === 'IdChanged' ? [[change.from, change.nodeId] as const] : [],
      ),
    );
    const kept = Object.entries(before).filter(([id]) => !removed.has(id));
    const idOf = (id: string): string => ids.get(id) ?? id;
    const result = new Map<
      string,
      { class_type: string; title: string | undefined; inputs: Map<string, unknown> }
    >();
    for (const [id, { class_type, _meta, inputs }] of kept) {
      const links = Object.entries(inputs).map(([name, one]): [string, unknown] => {
        const isLink =
          Array.isArray(one) &&
          one.length === 2 &&
          typeof one[0] === 'string' &&
          Object.hasOwn(before, one[0]) &&
          Number.isInteger(one[1]);
        return [name, isLink ? [idOf(one[0] as string), one[1] as unknown] : one];
      });
      result.set(idOf(id), { class_type, title: _meta?.title, inputs: new Map(links) });
    }
    for (const change of changes) {
      if (change._tag === 'NodeAdded')
        result.set(change.nodeId, {
          ...change.node,
          title: change.node._meta?.title,
          inputs: new Map(Object.entries(change.node.inputs)),
        });
      const target = result.get(change.nodeId);
      if (change._tag === 'ClassChanged' && target !== undefined) target.class_type = change.to ?? '';
      if (change._tag === 'TitleChanged' && target !== undefined) target.title = change.to;
      if (change._tag === 'InputChanged') {
        if ('to' in change) target?.inputs.set(change.input, change.to);
        else target?.inputs.delete(change.input);
      }
    }
    return Object.fromEntries(
      [...result].map(([id, one]) => [id, node(one.class_type, Object.fromEntries(one.inputs), one.title)]),
    );
  };

  it('a workflow has no difference from itself', () => {
    fc.assert(
      fc.property(graph, (one) => {
        expect(diffWorkflows(one, structuredClone(one))).toEqual([]);
      }),
    );
  });

  it('the changes make the second workflow of the first', () => {
    fc.assert(
      fc.property(graph, graph, (before, after) => {
        const normal = Object.fromEntries(
          Object.entries(after).map(([id, one]) => [id, node(one.class_type, one.inputs, one._meta?.title)]),
        );
        expect(applied(before, diffWorkflows(before, after))).toEqual(normal);
      }),
      { numRuns: runs(300) },
    );
  });

  it('other ids alone are found as such where all nodes differ', () => {
    fc.assert(
      fc.property(
        graph,
        fc.shuffledSubarray(['1', '2', '3', 'x', '__proto__', '8:5', '9'], { minLength: 7 }),
        (given, ids) => {
          // A dead link may lead to a node once other ids are there.
          const marked = Object.fromEntries(
            Object.entries(given).map(([id, one], at) => {
              const alive = Object.entries(one.inputs).filter(
                ([, member]) => !Array.isArray(member) || Object.hasOwn(given, String(member[0])),
              );
              return [id, { ...one, inputs: { ...Object.fromEntries(alive), mark: at } }];
            }),
          );
          const newIdOf = (id: string): string =>
            ids[['1', '2', '3', 'x', '__proto__', '8:5'].indexOf(id)] ?? id;
          const changes = diffWorkflows(marked, renumbered(marked, newIdOf));
          const moved = Object.keys(marked).filter((id) => newIdOf(id) !== id);
          const others = changes.filter(({ _tag }) => _tag !== 'IdChanged');
          expect(changes.length - others.length).toBe(moved.length);
        },
      ),
    );
  });

  it('P5: swapped values are changed values, and not other ids and links', () => {
    const untitled = (...texts: readonly string[]): Workflow => ({
      '1': node('Loader', { name: 'a' }),
      ...Object.fromEntries(texts.map((text, at) => [`${at + 2}`, node('Text', { text, clip: ['1', 1] })])),
      '9': node('Sampler', Object.fromEntries(texts.map((_, at) => [`text${at}`, [`${at + 2}`, 0]]))),
    });
    const inputs = (changes: readonly WorkflowChange[]) =>
      changes.map((change) => [change.nodeId, 'input' in change ? change.input : change._tag]);
    const texts = (...ids: string[]) => ids.map((id) => [id, 'text']);
    expect(inputs(diffWorkflows(untitled('a', 'b'), untitled('b', 'a')))).toEqual(texts('2', '3'));
    expect(inputs(diffWorkflows(untitled('a', 'b'), untitled('b', 'c')))).toEqual(texts('2', '3'));
    expect(inputs(diffWorkflows(untitled('a', 'b', 'c'), untitled('b', 'c', 'a')))).toEqual(
      texts('2', '3', '4'),
    );
    // Two whole branches that changed places are other ids.
    const branches = (first: string, second: string): Workflow => ({
      '2': node('Text', { text: first }),
      '3': node('Text', { text: second }),
      '4': node('Save', { text: ['2', 0], name: first }),
      '5': node('Save', { text: ['3', 0], name: second }),
    });
    expect(diffWorkflows(branches('a', 'b'), branches('b', 'a')).map(({ _tag }) => _tag)).toEqual(
      Array.from({ length: 4 }, () => 'IdChanged'),
    );
  });

  it('P5: pairs nodes that are alike by what they feed', () => {
    const encode = (text: string) => ({ class_type: 'Encode', inputs: { text } });
    const sampler = (positive: string, negative: string) => ({
      class_type: 'Sampler',
      inputs: { positive: [positive, 0], negative: [negative, 0] },
    });
    const before = { '1': encode('a'), '2': encode('a'), '3': sampler('1', '2') };
    const swapped = { '7': encode('a'), '8': encode('a'), '9': sampler('8', '7') };
    expect(diffWorkflows(before, swapped)).toEqual([
      { _tag: 'IdChanged', nodeId: '7', from: '2' },
      { _tag: 'IdChanged', nodeId: '8', from: '1' },
      { _tag: 'IdChanged', nodeId: '9', from: '3' },
    ]);
    const changed = { '7': encode('b'), '8': encode('c'), '9': sampler('8', '7') };
    expect(diffWorkflows(before, changed).filter(({ _tag }) => _tag !== 'InputChanged')).toEqual(
      diffWorkflows(before, swapped),
    );
  });
});
