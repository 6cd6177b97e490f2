import fc from 'fast-check';
import type * as t from 'io-ts';
import { describe, expect, it } from 'vitest';
import { shapeDefinitions } from '../../scripts/shape-definitions.js';
import { type Shape, shapeProblem } from '../../src/core/protocol/json/shape-problem.js';
import * as shapes from '../../src/core/protocol/generated/shapes.js';
import { codecProblem } from '../helpers/codec-problem.js';
import { eventFixtures } from '../helpers/event-fixtures.js';
import { anyJson, spoiled, throughJson } from '../helpers/spoiled.js';
import { often, runs } from '../helpers/runs.js';

type Case = readonly [name: string, codec: t.Mixed, shape: Shape, good: readonly unknown[]];

const { eventShapes: eventCodecs, ...others } = shapeDefinitions;

const cases: readonly Case[] = [
  ...Array.from(eventCodecs, ([type, codec]): Case => {
    const good = eventFixtures.filter((fixture) => fixture.type === type).map(({ data }) => data);
    return [type, codec, shapes.eventShapes[type]!, good];
  }),
  [
    'a status',
    others.jobStatusShape,
    shapes.jobStatusShape,
    [{ status: 'pending', id: 'a', created_at: null }],
  ],
  [
    'a node class',
    others.nodeInfoShape,
    shapes.nodeInfoShape,
    [
      {
        input: {
          required: { seed: ['INT', { min: 0 }] },
          optional: { mask: ['MASK'] },
          hidden: { id: 'ID' },
        },
        output: ['IMAGE'],
        output_node: true,
        name: 'Save',
        category: 'image',
        display_name: null,
        description: 'Saves.',
      },
    ],
  ],
  [
    'a workflow',
    others.workflowShape,
    shapes.workflowShape,
    [{ '3': { class_type: 'Save', inputs: { image: ['4', 0] }, _meta: { title: 'Save' } } }],
  ],
];

/** Law: a shape fits exactly the JSON values that its codec takes, and of others it says what the codec's errors say. */
describe.each(cases)('shape = codec: %s', (_, codec, shape, fixtures) => {
  const good = fc.constantFrom(...fixtures).map(throughJson);

  it.each([
    ['good', good],
    ['spoiled in one place', spoiled(good)],
    ['spoiled in three', spoiled(spoiled(spoiled(good)))],
    ['any', anyJson],
  ])('%s', (kind, values) => {
    const seen = { yes: 0, no: 0 };
    fc.assert(
      fc.property(values, (value) => {
        const fits = codec.is(value);
        expect(shapeProblem(shape, value)).toBe(fits ? undefined : codecProblem(codec, value));
        seen[fits ? 'yes' : 'no'] += 1;
      }),
      { numRuns: runs(1000) },
    );
    if (kind === 'good') expect(seen.no).toBe(0);
    else expect(seen.no).toBeGreaterThan(often(50));
  });
});
