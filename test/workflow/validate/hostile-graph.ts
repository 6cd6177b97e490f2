import { applyFixes } from '../../../src/workflow/validate/apply-fixes.js';
import { definitions, picture } from './definitions.js';
import type { NodeDefinitions } from '../../../src/workflow/definitions.js';
import type { Problem } from '../../../src/core/protocol/problem.js';
import { type Random, randomOf } from '../../simulation/random.js';
import type { Rules } from '../../../src/workflow/validate/rules.js';
import { validateWorkflow } from '../../../src/workflow/validate/validate-workflow.js';
import { verdictOf } from '../../../src/workflow/validate/verdict-of.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

/** A graph that a stranger could hand in, and the definitions to check it by. */
export interface HostileGraph {
  readonly kind: string;
  readonly workflow: unknown;
  readonly definitions: NodeDefinitions;
}

/** Checks one graph; the verdict is how it ended. */
export type Check = (graph: HostileGraph, rules: Rules) => string;

/** Validates a graph, judges it, repairs it and validates it again. */
const checkWhole: Check = ({ workflow, definitions: known }, rules) => {
  const problems: readonly Problem[] = validateWorkflow(workflow, known, { rules });
  const verdict = verdictOf(workflow, known, problems);
  const hasError = problems.some(({ severity }) => severity === 'error');
  if (hasError === (verdict === 'accepted')) throw new Error(`${problems.length} problems, but ${verdict}`);
  validateWorkflow(applyFixes(workflow as Workflow, problems), known, { rules });
  return verdict;
};

/** Plays one graph; writing to what it consists of throws as well. */
export const validateHostileGraph = (seed: number, check: Check = checkWhole): string => {
  const graph = drawHostileGraph(seed);
  freeze(graph.workflow);
  freeze(graph.definitions);
  return check(graph, seed % 2 === 0 ? '0.3.64' : '2026');
};

/** Deeply, without recursion. */
const freeze = (value: unknown): void => {
  const open = [value];
  for (let one = open.pop(); open.length > 0 || one !== undefined; one = open.pop()) {
    if (typeof one !== 'object' || one === null || Object.isFrozen(one)) continue;
    Object.freeze(one);
    for (const member of Object.values(one)) open.push(member);
  }
};

/** Draws one of the kinds; every 2000th seed is of 10,000 nodes or as large. */
const drawHostileGraph = (seed: number): HostileGraph => {
  const random = randomOf(seed, 26);
  const kinds = seed % 2000 === 0 ? huge : small;
  const kind = random.pick(Object.keys(kinds));
  return { kind, definitions, ...kinds[kind]!(random) };
};

type Draw = (random: Random) => Partial<HostileGraph> & Pick<HostileGraph, 'workflow'>;
type Holder = Record<string, unknown>;

const small: Readonly<Record<string, Draw>> = {
  mutated: (random) => ({ workflow: mutate(random, valid(random)) }),
  truncated: (random) => ({ workflow: truncate(random, mutate(random, valid(random))) }),
  'with random links': (random) => ({ workflow: nodesOf(random, random.between(1, 12), randomInputs) }),
  nested: (random) => {
    const workflow = valid(random);
    const deep = nest(random, random.between(1, 200));
    return { workflow: put(random, workflow, deep) };
  },
  'with misspelt names': (random) => ({ workflow: misspell(random, valid(random)) }),
  'with names of the prototype': (random) => ({
    workflow: rename(random, mutate(random, valid(random)), () => random.pick(prototypeNames)),
  }),
  'by mutated definitions': (random) => ({
    workflow: mutate(random, valid(random)),
    definitions: mutate(random, structuredClone(definitions)) as NodeDefinitions,
  }),
  'by nested definitions': (random) => ({
    workflow: { d: { class_type: 'Dynamic', inputs: dynamicInputs(random) } },
    definitions: {
      Dynamic: { input: { required: dynamicSpecs(random, random.between(0, 10)) }, output_node: true },
    },
  }),
};

const many = 10_000;

const huge: Readonly<Record<string, Draw>> = {
  'nested without end': (random) => ({ workflow: put(random, valid(random), nest(random, many * 10)) }),
  'a chain': () => ({ workflow: numbered((at) => invert(Math.max(0, at - 1))) }),
  'a cycle': () => ({ workflow: numbered((at) => invert((at + many - 1) % many)) }),
  'doubled paths': () => ({
    workflow: numbered((at) => ({
      class_type: 'Sink',
      inputs: { star: [`n${at + 1}`, 0], image: [`n${at + 1}`, 0] },
    })),
    definitions: { ...definitions, Sink: { ...(definitions['Sink'] as object), output: ['IMAGE'] } },
  }),
  'all with random links': (random) => ({ workflow: nodesOf(random, many, randomInputs) }),
  'all misspelt': (random) => ({
    workflow: numbered(() => ({ class_type: random.pick(['Samplr', 'Sink', 'Gone']), inputs: { itn: 1 } })),
  }),
  'all without their list': () => ({
    workflow: numbered((at) => ({ class_type: 'Sink', inputs: { choice: `gone ${at}`, tags: ['r'] } })),
  }),
  'one node of many inputs': (random) => ({
    workflow: {
      s: {
        class_type: 'Sink',
        inputs: Object.fromEntries(
          Array.from({ length: many }, (_, at) => [`input ${at}`, randomValue(random)]),
        ),
      },
    },
  }),
  'long texts': (random) => {
    const text = random.pick(['1', '1_', ' ', '9.', ',', '\u{1D7D8}', 'a.', '[temp]', 'e', '__value__']);
    const long = `${random.pick(['', '-', 'x'])}${text.repeat(many * 30)}${random.pick(['', 'x', ' '])}`;
    const inputs = Object.fromEntries(Object.keys(optionsOf('Sink')).map((name) => [name, long]));
    const image = { class_type: 'LoadImage', inputs: { image: long } };
    return {
      workflow: { [long]: { class_type: 'Sink', inputs: { ...inputs, [long]: [long, 0] } }, image },
    };
  },
};

/** A workflow without problems, some of it changed to other valid classes. */
const valid = (random: Random): Holder => ({
  ...picture(),
  a: { class_type: 'LoadImage', inputs: { image: 'a.png' } },
  p: { class_type: 'Preview', inputs: { images: [random.pick(['8', 'a', 'i']), 0] } },
  i: { class_type: 'Invert', inputs: { image: ['a', 0] } },
  t: { class_type: 'Types', inputs: {} },
  s: { class_type: 'Sink', inputs: { int: 1, union: ['t', 0], choice: 'a', tags: { __value__: ['r'] } } },
  d: { class_type: 'Dynamic', inputs: dynamicInputs(random) },
});

const dynamicInputs = (random: Random): Holder => ({
  mode: random.pick(['plain', 'seeded', 'k0']),
  'mode.seed': 3,
  'images.image0': ['a', 0],
  'k0.k0': 'k0',
  'k0.k0.k0': random.pick(['k0', 1]),
});

/** Choices within choices: deep, or with two inputs and options on each of few levels. */
const dynamicSpecs = (random: Random, depth: number): Holder => {
  const width = depth < 3 ? 2 : 1;
  return Object.fromEntries(
    Array.from({ length: width }, (_, at) => {
      const options = Array.from({ length: width }, (__, key) => ({
        key: `k${key}`,
        inputs: { required: depth === 0 ? randomValue(random) : dynamicSpecs(random, depth - 1) },
      }));
      return [random.pick(['k0', 'mode', `k${at}`]), ['COMFY_DYNAMICCOMBO_V3', { options }]];
    }),
  );
};

const nodesOf = (
  random: Random,
  count: number,
  inputsOf: (random: Random, count: number) => Holder,
): Workflow =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `n${at}`,
      { class_type: random.pick(classNames), inputs: inputsOf(random, count) },
    ]),
  );

const numbered = (nodeOf: (at: number) => object): Workflow =>
  Object.fromEntries([
    ...Array.from({ length: many }, (_, at) => [`n${at}`, nodeOf(at)]),
    [`n${many}`, { class_type: 'Save', inputs: { images: [`n${many - 1}`, 0] } }],
  ]) as Workflow;

const invert = (from: number): object => ({ class_type: 'Invert', inputs: { image: [`n${from}`, 0] } });

const randomInputs = (random: Random, count: number): Holder =>
  Object.fromEntries(
    Array.from({ length: random.between(0, 6) }, () => [
      random.pick(inputNames),
      random.chance(0.7) ? [`n${random.below(count + 1)}`, random.between(-1, 2)] : randomValue(random),
    ]),
  );

/** Members anywhere set, taken out or put elsewhere, one to six of them. */
const mutate = (random: Random, value: unknown): unknown => {
  let changed = value;
  for (let left = random.between(1, 6); left > 0; left -= 1) {
    const owner = ownerIn(random, changed);
    if (random.chance(0.3) && owner !== undefined) {
      const name = random.pick(Object.keys(owner));
      Reflect.deleteProperty(owner, name);
    } else changed = put(random, changed, randomValue(random));
  }
  return changed;
};

/** Puts a value in the place of a member, or in a new one; rarely in that of all. */
const put = (random: Random, holder: unknown, value: unknown): unknown => {
  const owner = random.chance(0.02) ? undefined : ownerIn(random, holder);
  if (owner === undefined) return value;
  const name = random.chance(0.7) ? random.pick(Object.keys(owner)) : random.pick(inputNames);
  if (!Array.isArray(owner) || /^\d+$/u.test(name)) define(owner, name, value);
  return holder;
};

/** Sets also a member of the name `__proto__`, as JSON.parse does. */
const define = (owner: object, name: string, value: unknown): void => {
  Object.defineProperty(owner, name, { value, enumerable: true, writable: true, configurable: true });
};

/** An object or list within the value that has members, at any depth. */
const ownerIn = (random: Random, value: unknown): object | undefined => {
  let owner = isOwner(value) ? value : undefined;
  for (let step = 0; step < 12 && owner !== undefined && random.chance(0.8); step += 1) {
    const inner: unknown = random.pick(Object.values(owner));
    if (!isOwner(inner)) break;
    owner = inner;
  }
  return owner;
};

const isOwner = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** As if the text had ended early, and had been closed. */
const truncate = (random: Random, value: unknown): unknown => {
  if (!isOwner(value)) return typeof value === 'string' ? value.slice(0, random.below(9)) : value;
  const kept = Object.entries(value).slice(0, random.between(1, Object.keys(value).length));
  const last = kept.at(-1)!;
  last[1] = truncate(random, last[1]);
  return Array.isArray(value) ? kept.map(([, member]) => member as unknown) : Object.fromEntries(kept);
};

const misspell = (random: Random, value: unknown): unknown =>
  rename(random, value, (name) => {
    const at = random.below(name.length + 1);
    return name.slice(0, at) + random.pick(['', 'x', ' ', '1', name.toUpperCase()]) + name.slice(at + 1);
  });

/** Renames a tenth of all members, ids and classes. */
const rename = (random: Random, value: unknown, nameFor: (name: string) => string): unknown => {
  if (typeof value === 'string') return random.chance(0.1) ? nameFor(value) : value;
  if (Array.isArray(value)) return value.map((one) => rename(random, one, nameFor));
  if (!isOwner(value)) return value;
  const renamed = {};
  for (const [name, member] of Object.entries(value))
    define(renamed, random.chance(0.1) ? nameFor(name) : name, rename(random, member, nameFor));
  return renamed;
};

const nest = (random: Random, depth: number): unknown => {
  const shape = random.below(4);
  let value = oddity(random);
  for (let level = 0; level < depth; level += 1)
    value =
      shape === 0 || (shape === 3 && level % 2 === 0)
        ? [value]
        : shape === 1
          ? { __value__: value }
          : { class_type: 'Sink', inputs: value };
  return shape === 3 ? { __value__: value } : value;
};

const randomValue = (random: Random): unknown => {
  if (random.chance(0.1)) return nest(random, random.between(1, 5));
  if (random.chance(0.2)) return [random.pick(ids), oddity(random)];
  return random.chance(0.5) ? oddity(random) : random.pick(classNames);
};

/** A copy, which a mutation may change. */
const oddity = (random: Random): unknown => structuredClone(random.pick(oddities));

const optionsOf = (className: string): Holder =>
  (definitions[className] as { readonly input: { readonly optional: Holder } }).input.optional;

const ids = ['3', '4', '8', 'a', 'i', 's', 't', '', '__proto__', 3, null];
const prototypeNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__value__',
];
const classNames = [...Object.keys(definitions), 'Gone', 'sampler', '__proto__', 'constructor', 'toString'];
const inputNames = [
  ...['images', 'image', 'int', 'text', 'clip', 'seed', 'x', 'mode', 'mode.seed', 'images.image1', 'choice'],
  ...['class_type', 'inputs', 'required', 'optional', 'options', 'min', 'output', '0', '1', ''],
  ...prototypeNames,
];
const oddities: readonly unknown[] = [
  ...[null, undefined, true, false, 0, -0, -1, 0.5, 1e21, 1e308, NaN, Infinity, -Infinity, 2 ** 64],
  ...[
    2n ** 64n,
    -(2n ** 70n),
    '',
    ' ',
    'a',
    '1',
    '1_0',
    '0x10',
    '1e400',
    '-',
    'false',
    'NaN',
    'É',
    '\ud800',
    '٣',
  ],
  ...[
    'class_type',
    'euler',
    'Euler',
    'a.png',
    'a.png [temp]',
    '../a.png',
    'COMFY_DYNAMICCOMBO_V3',
    'INT',
    '*',
  ],
  ...[
    'COMBO',
    'INT,FLOAT',
    ',',
    [],
    {},
    [[]],
    ['a'],
    ['a', 0, 0],
    { __value__: ['r', 'z'] },
    { __value__: null },
  ],
  ...[
    { toString: 1, valueOf: null },
    { length: 2, 0: 'a', 1: 0 },
    { required: { x: ['INT'] } },
    ['INT', { min: {} }],
  ],
];
