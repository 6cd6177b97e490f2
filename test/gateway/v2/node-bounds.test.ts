import { describe, expect, it } from 'vitest';
import { checkWidth } from '../../../src/server/gateway/v2/node-bounds.js';

const list = (count: number): readonly number[] => Array.from({ length: count }, () => 1);
const inputs = (count: number): object =>
  Object.fromEntries(list(count).map((_, nth) => [`input ${nth}`, 1]));
const refused = { status: 422, code: 'invalid_workflow' };

describe('T1 a node of a workflow', () => {
  it.each([
    ['inputs', { 1: { class_type: 'X', inputs: inputs(4_097) } }],
    ['inputs of a file', { nodes: [{ id: 1, inputs: list(4_097) }] }],
    ['outputs of a file', { nodes: [{ id: 1, outputs: list(4_097) }] }],
    ['values of a file', { nodes: [null, { id: 1, widgets_values: inputs(4_097) }] }],
    [
      'values in a subgraph',
      { nodes: [], definitions: { subgraphs: [{ nodes: [{ widgets_values: list(4_097) }] }] } },
    ],
  ])('has no more than 4,096 %s', (_, workflow) => {
    expect(checkWidth(workflow)).toMatchObject(refused);
  });

  it.each([
    [{ 1: { class_type: 'X', inputs: inputs(4_096) } }],
    [{ 1: { class_type: 'X', inputs: { points: list(50_000) } } }],
    [{ nodes: [{ id: 1, inputs: list(4_096), widgets_values: [list(50_000)] }] }],
    [{ nodes: Array.from({ length: 5_000 }, () => ({})), links: list(50_000) }],
    [{ 1: null, 2: 'a', 3: { inputs: 5 } }],
  ])('may be as wide as %#', (workflow) => {
    expect(checkWidth(workflow as never)).toBeUndefined();
  });
});
