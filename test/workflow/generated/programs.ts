import { isDeepStrictEqual } from 'node:util';
import { programOf } from '../../../src/cli/codegen/program.js';
import { graph } from '../../../src/workflow/build/graph.js';
import {
  type NodeDefinitions,
  toApiWorkflow,
  validateWorkflow,
  type Workflow,
} from '../../../src/workflow.js';
import { randomOf, type Random } from '../../simulation/random.js';
import { definitionsOf, drawClasses } from './draw-classes.js';
import { drawOrigin, type Mistake } from './draw-origin.js';
import { writeEditorFile } from './write-editor-file.js';

/** A workflow that the engine accepts, or one with a mistake, and the classes that it uses. */
export interface DrawnWorkflow {
  readonly workflow: Workflow;
  readonly definitions: NodeDefinitions;
  readonly mistake: Mistake | undefined;
}

/** Draws classes and a workflow of theirs, with titles. */
export const drawWorkflow = (random: Random): DrawnWorkflow => {
  const classes = drawClasses(random);
  const definitions = definitionsOf(classes) as NodeDefinitions;
  const origin = drawOrigin(random, classes);
  const settings = { random: () => 0, now: new Date(2026, 2, 4) };
  const { workflow } = toApiWorkflow(writeEditorFile(random, origin).file, definitions, settings);
  return { workflow: workflow!, definitions, mistake: origin.mistake };
};

/** Runs a program of `promptwire codegen`, without a compiler. */
export const runProgram = (text: string): Workflow => {
  const body = text
    .replaceAll(/^import .*$/gmu, '')
    .replace('graph<Nodes>()', 'graph()')
    .replace('export const workflow =', 'return');
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- it runs the program that was written
  return (new Function('graph', body) as (make: typeof graph) => Workflow)(graph);
};

/** What one generated workflow showed. */
export interface PlayedProgram {
  readonly nodes: number;
  readonly cycles: number;
  readonly problems: readonly string[];
}

/**
 * Draws a workflow, turns it into programs of every kind, and runs them: each builds the same workflow. So does that of the
 * workflow with oddities, such as cycles and dead links; and what the builder made of a workflow without mistakes has no errors.
 */
export const playProgram = (seed: number): PlayedProgram => {
  const random = randomOf(seed, 17);
  const { workflow, definitions, mistake } = drawWorkflow(random);
  const odd = withOddities(random, workflow);
  const problems: string[] = [];
  let cycles = 0;
  for (const [name, one] of [['drawn', workflow] as const, ['odd', odd] as const]) {
    for (const options of [{}, { types: './nodes.js' }, { types: './nodes.js', definitions }]) {
      const program = programOf(one, options);
      cycles += program.cycles.length;
      const built = runProgram(program.text);
      if (!isDeepStrictEqual(plain(built), plain(one)))
        problems.push(
          `the program of the ${name} workflow gives ${JSON.stringify(built, asText)}:\n${program.text}`,
        );
      if (name === 'odd' || mistake !== undefined) continue;
      const errors = validateWorkflow(built, definitions).filter(({ severity }) => severity === 'error');
      if (errors.length > 0) problems.push(`what was built has errors: ${JSON.stringify(errors, asText)}`);
    }
  }
  return { nodes: Object.keys(workflow).length, cycles, problems };
};

/** Classes, inputs and titles; an absent title and an empty `_meta` are the same. */
const plain = (workflow: Workflow) =>
  Object.fromEntries(
    Object.entries(workflow).map(([id, { class_type, inputs, _meta }]) => [
      id,
      { class_type, inputs: { ...inputs }, title: _meta?.title },
    ]),
  );

const asText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);

/** Odd ids, names, values and links, as other programs and hands write them. */
const withOddities = (random: Random, workflow: Workflow): Workflow => {
  const nodes = new Map(
    Object.entries(workflow).map(([id, node]) => [id, { ...node, inputs: { ...node.inputs } }]),
  );
  const newId = (): string =>
    random.pick(['', '__proto__', '007', 'a "b"\n', '8:5', String(random.below(99)), 'ü', '-1']);
  for (let count = random.between(1, 6); count > 0; count -= 1) {
    const id = random.chance(0.3) ? newId() : random.pick([...nodes.keys()]);
    const node = nodes.get(id) ?? { class_type: random.pick(oddNames), inputs: {} };
    const link = [
      random.pick([...nodes.keys(), 'gone']),
      random.pick([0, 1, 7, -1, 1.5, true, 2 ** 60, 'x', -0]),
    ];
    const value = random.chance(0.5) ? link : random.pick(oddValues);
    Object.defineProperty(node.inputs, random.pick(oddNames), {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    nodes.set(id, { ...node, ...(random.chance(0.4) && { _meta: { title: random.pick(oddNames) } }) });
  }
  return Object.fromEntries(nodes);
};

const oddNames: readonly string[] = [
  ...['', '__proto__', 'constructor', 'toString', 'then', 'node', 'workflow', 'new', 'class', 'g', '0', '10'],
  ...[
    'a b',
    "it's",
    '"',
    '\\',
    '`${x}`',
    '*/',
    '\u2028\u2029',
    '\ud800',
    'größe',
    '\n',
    '名前',
    'a_0',
    '//',
    '</script>',
  ],
];

const oddValues: readonly unknown[] = [
  ...[
    null,
    true,
    -0,
    0.1,
    1e21,
    1e-7,
    -5,
    Infinity,
    NaN,
    2n ** 64n - 1n,
    -(2n ** 70n),
    '',
    '`${1}`\n',
    '\'"\\',
  ],
  ...[
    [],
    ['a', 0],
    [['b', 1]],
    { __value__: [] },
    { __value__: ['1', 0] },
    { __value__: 5 },
    { __value__: [1], more: 2 },
  ],
  ...[{}, { a: { b: [null, 3n] } }, JSON.parse('{"__proto__": {"x": 1}}') as unknown, ['1'], [1, 2, 3]],
];
