import { mutateFrame, randomInts } from '../../helpers/mutate-frame.js';
import { randomOf, type Random } from '../../simulation/random.js';
import { definitionsOf, drawClasses } from './draw-classes.js';
import { drawOrigin } from './draw-origin.js';
import { readGraph, toApiWorkflow, writeExactJson } from '../../../src/workflow.js';
import { type EditorFile, writeEditorFile } from './write-editor-file.js';

/**
 * Reads and converts a file of the editor that was spoilt in up to four places, and its text, spoilt as well. Throws where a
 * function does, or where a conversion gives both a workflow and an error, or neither.
 */
export const convertHostileGraph = (seed: number): 'converted' | 'refused' => {
  const random = randomOf(seed, 14);
  const base = baseOf(Math.floor(seed / 25));
  const ui = structuredClone(base.file);
  const definitions = random.chance(0.1) ? undefined : structuredClone(base.definitions);
  for (let count = random.between(1, 4); count > 0; count -= 1)
    spoil(random, random.chance(0.8) ? ui : definitions);
  readGraph(mutateFrame(base.text, randomInts(seed)));
  readGraph(ui);
  const { workflow, problems } = toApiWorkflow(ui, definitions);
  if ((workflow === undefined) !== problems.some(({ severity }) => severity === 'error'))
    throw new Error(`a workflow and an error, or neither: ${problems.map(({ type }) => type).join()}`);
  return workflow === undefined ? 'refused' : 'converted';
};

/** Drawing a file costs more than what is done with it, so neighbours share one. */
const baseOf = (seed: number) => {
  if (last?.seed === seed) return last;
  const random = randomOf(seed, 15);
  const classes = drawClasses(random);
  const { file } = writeEditorFile(random, drawOrigin(random, classes));
  last = { seed, file, definitions: definitionsOf(classes), text: writeExactJson(file) };
  return last;
};

let last:
  | {
      readonly seed: number;
      readonly file: EditorFile['file'];
      readonly definitions: Readonly<Record<string, unknown>>;
      readonly text: string;
    }
  | undefined;

/** Replaces, removes, or doubles one member anywhere, or makes it hold itself many times over. */
const spoil = (random: Random, root: unknown): void => {
  if (typeof root !== 'object' || root === null) return;
  let owner = root as Record<string, unknown>;
  let name = random.pick(['', ...Object.keys(owner)]);
  for (
    let next = owner[name];
    typeof next === 'object' && next !== null && random.chance(0.85);
    next = owner[name]
  ) {
    if (Object.keys(next).length === 0) break;
    owner = next as Record<string, unknown>;
    name = random.pick(Object.keys(owner));
  }
  const value = owner[name];
  switch (random.below(6)) {
    case 0:
      owner[name] = random.pick(oddValues);
      break;
    case 1:
      Reflect.deleteProperty(owner, name);
      break;
    case 2:
      Object.defineProperty(owner, '__proto__', {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
      break;
    case 3:
      owner[name] = nested(value, random.pick([3, 5000]));
      break;
    case 4:
      if (Array.isArray(value)) for (const item of value.slice(0, 8)) value.push(item, item);
      break;
    default:
      owner[name] = random.pick([
        -10,
        -20,
        1,
        '1',
        '00000001-0000-4000-8000-000000000000',
        'PrimitiveNode',
        4,
        2,
      ]);
  }
};

const nested = (value: unknown, depth: number): unknown => {
  let outer = value;
  for (let level = 0; level < depth; level += 1) outer = level % 2 === 0 ? [outer] : { inputs: outer };
  return outer;
};

const oddValues: readonly unknown[] = [
  null,
  undefined,
  '',
  '__proto__',
  'workflow>x',
  'constructor',
  [],
  {},
  [[]],
  [{}],
  -1,
  1e308,
  Number.NaN,
  2n ** 70n,
  '{'.repeat(1000),
  '%a.b%'.repeat(100),
  '{a|b}'.repeat(200),
  { __value__: [] },
  { length: 2 ** 53 },
];
