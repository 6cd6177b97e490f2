import { applyFixes } from '../../../src/workflow/validate/apply-fixes.js';
import { definitions, picture } from './definitions.js';
import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { type Check, validateHostileGraph } from './hostile-graph.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';
import { validateWorkflow } from '../../../src/workflow/validate/validate-workflow.js';
import { verdictOf } from '../../../src/workflow/validate/verdict-of.js';
import { runs } from '../../helpers/runs.js';

const names = [
  '3',
  '4',
  '6',
  '8',
  '9',
  '__proto__',
  'constructor',
  'class_type',
  'inputs',
  'text',
  'txet',
  'int',
  'choice',
  'image',
  '',
];
const name = fc.constantFrom(...names);
const className = fc.constantFrom(...Object.keys(definitions), 'Gone', 'sampler', '__proto__');
const link = fc.tuple(
  fc.oneof(name, fc.jsonValue()),
  fc.oneof(fc.integer({ min: -4, max: 9 }), fc.boolean(), fc.jsonValue()),
);
const value = fc.oneof(
  link,
  fc.jsonValue(),
  fc.constantFrom(NaN, Infinity, 2 ** 64, 2n ** 64n, undefined, '1_0', 'false', 'euler', 'Euler', {
    __value__: [1],
  }),
);

/** Sets or deletes what a path of names leads to. */
const mutation = fc.record({
  path: fc.array(name, { maxLength: 3 }),
  what: fc.oneof(value, className),
  drop: fc.boolean(),
});
const mutated = fc.array(mutation, { maxLength: 5 }).map((changes) => {
  let workflow: unknown = picture();
  for (const { path, what, drop } of changes) {
    const last = path.at(-1);
    let holder: unknown = workflow;
    // A path leads through own members only: what is behind them is a prototype that all tests share.
    for (const step of path.slice(0, -1))
      holder = isHolder(holder) && Object.hasOwn(holder, step) ? holder[step] : undefined;
    if (last === undefined) workflow = drop ? workflow : what;
    else if (isHolder(holder) && drop) Reflect.deleteProperty(holder, last);
    else if (isHolder(holder))
      Object.defineProperty(holder, last, {
        value: what,
        enumerable: true,
        writable: true,
        configurable: true,
      });
  }
  return workflow;
});
const isHolder = (holder: unknown): holder is Record<string, unknown> =>
  typeof holder === 'object' && holder !== null;

/** Nodes of known classes whose inputs are links and literals at random: cycles, mismatches and gaps. */
const graph = fc
  .array(
    fc.record({
      class_type: className,
      inputs: fc.dictionary(
        fc.constantFrom('images', 'image', 'int', 'text', 'clip', 'seed', 'x', 'mode', 'mode.seed'),
        value,
      ),
    }),
    { maxLength: 9 },
  )
  .map((nodes) => Object.fromEntries(nodes.map((node, at) => [names[at] ?? '', node])));

const workflows = fc.oneof(mutated, graph, fc.jsonValue());

describe('validation', () => {
  it('gives problems for any value, and changes nothing', () => {
    fc.assert(
      fc.property(workflows, fc.constantFrom('0.3.64', '2026'), (workflow, rules) => {
        const before = structuredClone(workflow);
        const problems = validateWorkflow(workflow, definitions, { rules });
        const errors = problems.filter(({ severity }) => severity === 'error');
        expect(workflow).toEqual(before);
        expect(verdictOf(workflow, definitions, problems) === 'accepted').toBe(errors.length === 0);
        expect(validateWorkflow(workflow, definitions, { rules })).toEqual(problems);
      }),
    );
  });

  it('gives fixes that make their problems go away', () => {
    fc.assert(
      fc.property(fc.oneof(mutated, graph), (workflow) => {
        const problems = validateWorkflow(workflow, definitions);
        const fixed = applyFixes(workflow as Workflow, problems);
        const keyOf = ({ nodeId, input, type }: (typeof problems)[number]) =>
          JSON.stringify([nodeId, input, type]);
        const left = new Set(validateWorkflow(fixed, definitions).map(keyOf));
        // An exception hides the other errors of its node, and a misspelt class all others.
        const fixable = problems.filter(
          ({ fix, type }) => fix !== undefined && !type.startsWith('exception'),
        );
        for (const problem of fixable) expect(left).not.toContain(keyOf(problem));
      }),
    );
  });

  it('survives definitions of any shape', () => {
    const spec = fc.oneof(fc.tuple(fc.jsonValue(), fc.jsonValue()), fc.jsonValue());
    const group = fc.oneof(fc.dictionary(name, spec), fc.jsonValue());
    const definition = fc.oneof(
      fc.record({
        input: fc.record({ required: group, optional: group, hidden: fc.jsonValue() }, { requiredKeys: [] }),
        output: fc.jsonValue(),
        output_node: fc.constant(true),
      }),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('Sampler', 'Save', 'Text', 'LoadImage', '__proto__'), definition),
        workflows,
        (strange, workflow) => {
          const problems = validateWorkflow(workflow, strange);
          const verdict = verdictOf(workflow, strange, problems);
          expect(['accepted', 'partly', 'refused']).toContain(verdict);
          expect(validateWorkflow(applyFixes(workflow as Workflow, problems), strange)).toBeInstanceOf(Array);
        },
      ),
    );
  });
});

it('a hostile workflow that breaks the check, or makes it write, is noticed', () => {
  const played = (check: Check) => () => validateHostileGraph(4000, check);
  expect(played(() => 'refused')).not.toThrow();
  expect(
    played(({ workflow }) => {
      (workflow as { more?: number }).more = 1;
      return 'refused';
    }),
  ).toThrow(TypeError);
});

describe('a huge workflow', () => {
  const count = 20_000;
  // Each of them is compared with all names that may be meant.
  const misspelt = runs(count);
  const many = (nodeOf: (at: number) => object, length: number) =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`n${at}`, nodeOf(at)]));
  const invert = (from: number) => ({ class_type: 'Invert', inputs: { image: [`n${from}`, 0] } });
  const save = { class_type: 'Save', inputs: { images: [`n${count - 1}`, 0] } };

  it.each<readonly [string, (at: number) => object, least: number, length: number]>([
    [
      'of one chain',
      (at: number) => (at === 0 ? { class_type: 'Nothing', inputs: {} } : invert(at - 1)),
      1,
      count,
    ],
    ['of one cycle', (at: number) => invert((at + count - 1) % count), count, count],
    ['of misspelt classes', () => ({ class_type: 'Invret', inputs: {} }), count, count],
    ['of misspelt inputs', () => ({ class_type: 'Save', inputs: { imgaes: 1 } }), 2 * misspelt, misspelt],
    [
      'of outputs that all need one bad node',
      () => ({ class_type: 'Preview', inputs: { images: ['n0', 0] } }),
      1,
      count,
    ],
  ])('%s is checked without recursion', (_, nodeOf, least, length) => {
    const workflow = { ...many(nodeOf, length), s: save };
    const problems = validateWorkflow(workflow, definitions);
    expect(problems.length).toBeGreaterThanOrEqual(least);
    expect(verdictOf(workflow, definitions, problems)).toBe(
      problems.some(({ severity }) => severity === 'error') ? 'refused' : 'accepted',
    );
  });

  it('with one deeply nested value is checked', () => {
    let deep: unknown = 1;
    for (let level = 0; level < count; level += 1) deep = level % 2 === 0 ? [deep] : { __value__: deep };
    const types = validateWorkflow(
      { s: { class_type: 'Sink', inputs: { int: deep, star: deep, more: deep } } },
      definitions,
    ).map(({ type }) => type);
    expect(types).toContain('unknown_input');
  });

  it.each(['int', 'float', 'string', 'boolean', 'choice', 'fresh', 'union', 'image', 'text'])(
    'with values in %s that no text can be made of is checked',
    (input) => {
      let deep: unknown = 1;
      for (let level = 0; level < 10 * count; level += 1) deep = [deep];
      for (const value of [{ toString: 1, valueOf: 1 }, { __value__: deep }, { __value__: { toString: 1 } }])
        expect(
          validateWorkflow({ s: { class_type: 'Sink', inputs: { [input]: value } } }, definitions),
        ).toHaveLength(1);
    },
  );

  it('with a long text in the place of a number is checked in linear time', () => {
    const length = runs(2_000_000);
    for (const text of [`${'1'.repeat(length / 20)}x`, '1_'.repeat(length), '1'.repeat(length / 2)])
      for (const input of ['int', 'float'])
        expect(
          validateWorkflow({ s: { class_type: 'Sink', inputs: { [input]: text } } }, definitions),
        ).toMatchObject([{ severity: 'error' }]);
  });
});
