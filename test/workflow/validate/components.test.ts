import { components, type Numbered } from '../../../src/workflow/validate/components.js';
import { describe, expect, it } from 'vitest';

const nodes: readonly Numbered[] = Array.from({ length: 100 }, (_, at) => ({ at }));

describe('the walk over a graph', () => {
  it.each<readonly [string, readonly Numbered[], (node: Numbered) => readonly Numbered[]]>([
    ['are outputs without needs', nodes, () => []],
    ['need one another in a chain', nodes.slice(0, 1), ({ at }) => nodes.slice(at + 1, at + 2)],
    ['are what one node needs', nodes.slice(0, 1), ({ at }) => (at === 0 ? nodes.slice(1) : [])],
  ])('pauses before each node where its nodes %s', (_, roots, needsOf) => {
    const asked: number[] = [];
    const steps = components(roots, (node) => {
      asked.push(node.at);
      return needsOf(node);
    });
    for (let before = 0; before < nodes.length; before += 1) {
      expect(steps.next().done).toBe(false);
      expect(asked).toHaveLength(before);
    }
    expect(steps.next()).toMatchObject({ done: true, value: { length: nodes.length } });
    expect(asked).toHaveLength(nodes.length);
  });
});
