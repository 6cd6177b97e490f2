import { bypassInput } from '../../../src/workflow/convert/bypass.js';
import { expect, it } from 'vitest';
import type { Socket, UiNode } from '../../../src/workflow/convert/ui-graph.js';

const bypassed = (inputs: readonly string[], outputs: readonly string[]): UiNode => ({
  id: '1',
  type: 'Any',
  kind: 'class',
  isMuted: false,
  isBypassed: true,
  title: 'Any',
  definition: undefined,
  plan: undefined,
  sockets: inputs.map((type, index): Socket => ({ name: `in ${index}`, type })),
  outputs,
  values: [],
  raw: {},
});

it.each([
  ['the one opposite', ['IMAGE', 'IMAGE'], ['MASK', 'IMAGE'], 1, 'IMAGE', 'in 1'],
  ['the one opposite, where it shares a type', ['MASK', 'IMAGE,MASK'], ['X', 'IMAGE'], 1, 'IMAGE', 'in 1'],
  ['the one opposite without the type of an output', ['IMAGE'], [], 0, 'IMAGE', 'in 0'],
  [
    'one of exactly the type, before an earlier one that fits',
    ['*', 'IMAGE'],
    ['A', 'B', 'IMAGE'],
    2,
    'IMAGE',
    'in 1',
  ],
  [
    'the first that fits, where none has exactly the type',
    ['MASK', '*', 'IMAGE,X'],
    ['A', 'B', 'C', 'IMAGE'],
    3,
    'IMAGE',
    'in 1',
  ],
  [
    'the one opposite, for an input that takes anything',
    ['MASK', 'IMAGE'],
    ['MASK', 'IMAGE'],
    1,
    '*',
    'in 1',
  ],
  ['the first, for an input that takes anything', ['MASK', 'IMAGE'], ['MASK', 'IMAGE', 'X'], 2, '*', 'in 0'],
  ['nothing, where the opposite and all others have other types', ['MASK'], ['IMAGE'], 0, 'IMAGE', undefined],
])('a bypassed node passes on %s', (_, inputs, outputs, slot, want, expected) => {
  expect(bypassInput(bypassed(inputs, outputs), slot, want)?.name).toBe(expected);
});
