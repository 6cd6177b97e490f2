import { nodeClasses } from '../../../src/emulator/engine/node-classes.js';
import { stringifyExact } from '../../../src/emulator/exact-json.js';
import type { InputSpec, NodeDefinition } from '../../../src/emulator/engine/node-class.js';
import { createFileStore } from '../../../src/emulator/store/file-store.js';
import { readGraph } from '../../../src/emulator/validation/read-graph.js';
import { validatePrompt } from '../../../src/emulator/validation/validate-prompt.js';
import { type Random, randomOf } from '../../simulation/random.js';
import { validateWorkflow } from '../../../src/workflow/validate/validate-workflow.js';
import { verdictOf } from '../../../src/workflow/validate/verdict-of.js';

/** What one of the two validators says: the verdict, and each error as `node type input`. */
export interface Opinion {
  readonly verdict: string;
  readonly errors: readonly string[];
}

/** What both say of one workflow. */
export interface Opinions {
  readonly workflow: unknown;
  readonly emulator: Opinion;
  readonly client: Opinion;
}

/** What both say of a drawn workflow, by the definitions of the emulator. */
export const opinionsOf = (seed: number): Opinions => {
  const workflow = drawWorkflow(randomOf(seed, 27));
  const emulator = ofEmulator(workflow);
  const client = ofClient(workflow);
  // What lies above a node whose check threw is looked at or not, as its inputs come; of nodes of no class one is named.
  const isRandom = client.errors.some((error) => /exception|missing_node_type/u.test(error));
  const errors = client.errors.filter(
    (error) =>
      emulator.errors.includes(error) || !(isRandom || isCycleThatTheEnginePassed(error, emulator, workflow)),
  );
  return { workflow, emulator, client: { ...client, errors } };
};

/**
 * Whether an error is about a node of a circle that the engine's way through the graph did not close: of several circles that share nodes
 * the engine names those on its way, the client all.
 */
const isCycleThatTheEnginePassed = (error: string, emulator: Opinion, workflow: Nodes): boolean => {
  const [id = '', type] = error.split(' ');
  const named = emulator.errors
    .filter((one) => one.includes(' dependency_cycle '))
    .map((one) => one.split(' ')[0]);
  const reached = reachableFrom(workflow, id);
  return type === 'dependency_cycle' && reached.has(id) && named.some((one) => reached.has(one));
};

/** The nodes above a node, by the links of its inputs. */
const reachableFrom = (workflow: Nodes, id: string): ReadonlySet<unknown> => {
  const above = (at: unknown): readonly unknown[] =>
    Object.values(workflow[String(at)]?.inputs ?? {}).flatMap((value) =>
      Array.isArray(value) ? [String(value[0])] : [],
    );
  const found = new Set(above(id));
  for (const at of found) for (const next of above(at)) found.add(next);
  return found;
};

type Nodes = Record<string, { class_type: string; inputs: Record<string, unknown> }>;

const ofClient = (workflow: Nodes): Opinion => {
  const problems = validateWorkflow(workflow, definitions, { rules: '2026' });
  return {
    verdict: verdictOf(workflow, definitions, problems),
    errors: sorted(
      problems
        .filter(({ severity }) => severity === 'error')
        .map(({ nodeId = '', type, input }) => errorOf(nodeId, type, input)),
    ),
  };
};

const ofEmulator = (workflow: Nodes): Opinion => {
  const read = readGraph(workflow, nodeClasses, { missingNode: 'missing_node_type' });
  if ('error' in read) {
    const { type, extra_info: info } = read.error;
    return { verdict: 'refused', errors: [errorOf(String(info['node_id']), type)] };
  }
  const { good, nodeErrors, error } = validatePrompt(read.graph, undefined, nodeClasses, files, {
    namesCycles: true,
  });
  if (error?.type === 'prompt_no_outputs') return { verdict: 'refused', errors: [errorOf('', error.type)] };
  const outputs = Object.values(workflow).filter(({ class_type: name }) => known[name]?.output_node);
  return {
    verdict: good.length === 0 ? 'refused' : good.length === outputs.length ? 'accepted' : 'partly',
    errors: sorted(
      Object.entries(nodeErrors).flatMap(([nodeId, { errors }]) =>
        errors.map(({ type, extra_info: info }) => errorOf(nodeId, type, info['input_name'])),
      ),
    ),
  };
};

/** An exception names no input that one can depend on; an output node that feeds others is blamed in either way. */
const errorOf = (nodeId: string, type: string, input: unknown = ''): string =>
  type.startsWith('exception') ? `${nodeId} exception` : `${nodeId} ${type} ${String(input)}`;

const sorted = (errors: readonly string[]): readonly string[] => [...new Set(errors)].toSorted();

const files = createFileStore({ fileNames: 'counter' });
/**
 * The definitions as a program gets them over the wire, all as of the engine itself: bounds of a class of another package, which the
 * emulator's own are, refuse nothing in the client.
 */
const known = JSON.parse(
  stringifyExact(
    Object.fromEntries(
      [...nodeClasses].map(([name, nodeClass]) => [
        name,
        { ...nodeClass.definition({ inputs: [] }), python_module: 'nodes' },
      ]),
    ),
  ),
) as Readonly<Record<string, NodeDefinition>>;
/**
 * Without those classes that check their inputs themselves, which no definition says, and without those whose inputs grow: the
 * emulator takes any value there.
 */
const definitions = Object.fromEntries(
  Object.entries(known).filter(
    ([name, { input }]) =>
      nodeClasses.get(name)?.validate === undefined && !/"COMFY_\w+_V3"/u.test(JSON.stringify(input)),
  ),
);
const classNames = Object.keys(definitions);
const outputClasses = classNames.filter((name) => known[name]?.output_node === true);

/** Nodes whose inputs are right, but for up to four mistakes. */
const drawWorkflow = (random: Random): Nodes => {
  const nodes: Nodes = {};
  const count = random.between(2, 9);
  for (let at = 0; at < count; at += 1) addNode(random, nodes, at >= count - 2 ? outputClasses : classNames);
  for (let left = random.between(0, 4); left > 0; left -= 1) spoil(random, nodes);
  return nodes;
};

const addNode = (random: Random, nodes: Nodes, names: readonly string[]): string => {
  const id = String(Object.keys(nodes).length);
  const name = random.pick(names);
  const inputs: Record<string, unknown> = {};
  // Takes its place before the nodes that it needs.
  nodes[id] = { class_type: name, inputs };
  const { required = {}, optional = {} } = known[name]!.input;
  for (const [input, spec] of Object.entries(required)) inputs[input] = valueFor(random, nodes, spec);
  for (const [input, spec] of Object.entries(optional))
    if (random.chance(0.5)) inputs[input] = valueFor(random, nodes, spec);
  return id;
};

const valueFor = (random: Random, nodes: Nodes, [type, options = {}]: InputSpec): unknown => {
  const choices = typeof type === 'string' ? options['options'] : type;
  // A list may be empty: of files of a kind that nobody has uploaded.
  if (Array.isArray(choices))
    return random.pick(choices.length === 0 ? ['none'] : (choices as readonly unknown[]));
  const { default: usual, min, max } = options;
  if (type === 'INT' || type === 'FLOAT') return random.pick([usual, min, max].filter(isNumber).concat(1));
  if (type === 'STRING') return random.pick(['', 'a lighthouse', '12']);
  if (type === 'BOOLEAN') return random.chance(0.5);
  return linkTo(random, nodes, String(type));
};

/** A bound beyond 2^53 is rounded where a program reads it as a number, and the engine's is not. */
const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;

/** To a node that has the output, or to a new one. */
const linkTo = (random: Random, nodes: Nodes, type: string): unknown => {
  const fitting = (name: string): number => known[name]!.output.findIndex((one) => one === type);
  const there = Object.keys(nodes).filter((id) => fitting(nodes[id]!.class_type) >= 0);
  const makers = classNames.filter((name) => fitting(name) >= 0);
  if (makers.length === 0) return ['none', 0];
  const isReused = there.length > 0 && (random.chance(0.7) || Object.keys(nodes).length > 20);
  const id = isReused ? random.pick(there) : addNode(random, nodes, makers);
  return [id, fitting(nodes[id]!.class_type)];
};

const spoil = (random: Random, nodes: Nodes): void => {
  const id = random.pick(Object.keys(nodes));
  const { class_type: name, inputs } = nodes[id]!;
  const input = random.pick([...Object.keys(inputs), 'unknown']);
  const other = random.pick(Object.keys(nodes));
  const value = random.pick(mistakes);
  const change = random.between(0, 9);
  if (change === 0) Reflect.deleteProperty(inputs, input);
  else if (change === 1) nodes[id] = { class_type: random.pick(classNames), inputs };
  else if (change === 2 && random.chance(0.3)) nodes[id] = { class_type: `${name} `, inputs };
  else if (change < 6) inputs[input] = [other, random.pick([0, 0, 1, 2, -1, 0.5, '0', null, true])];
  else if (change === 6) inputs[input] = beyond(known[name]?.input.required?.[input]);
  else inputs[input] = structuredClone(value);
};

/** Just outside a bound, where there is one. */
const beyond = ([, options = {}]: InputSpec = ['INT']): unknown => {
  const [min, max] = [Number(options['min'] ?? 0), Number(options['max'] ?? 0)];
  return max > 2 ** 53 ? min - 1 : max + 1;
};

const mistakes: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e9,
    -1e9,
    '',
    '7',
    ' 7 ',
    '7.5',
    '1e3',
    '1_0',
    '0x10',
    '1,5',
    'nan',
    'inf',
  ],
  ...[
    'abc',
    'False',
    {},
    { a: 1 },
    { __value__: 3 },
    { __value__: ['a'] },
    [],
    ['0'],
    ['0', 0, 0],
    ['gone', 0],
  ],
  ...[[0, 0], [null, 0], { __value__: { __value__: 3 } }],
];
