import { isDeepStrictEqual } from 'node:util';
import { parseExactJson, toApiWorkflow, validateWorkflow, writeExactJson } from '../../../src/workflow.js';
import { randomOf } from '../../simulation/random.js';
import { definitionsOf, drawClasses } from './draw-classes.js';
import { drawOrigin } from './draw-origin.js';
import { type EditorFile, writeEditorFile } from './write-editor-file.js';

/** What one generated file showed. */
export interface Played {
  readonly nodes: number;
  readonly subgraphs: number;
  readonly isMistaken: boolean;
  /** Each law that was broken. */
  readonly problems: readonly string[];
}

const settings = { random: () => 0, now: new Date(2026, 2, 4, 5, 6, 7) };

/**
 * Draws definitions, a workflow, and a file of the editor that stands for it, and holds the conversion to its laws: the result
 * is that workflow, whole; the same for the file written and read again; each node has an id of its own; and the validator
 * refuses it for the mistake that was planted, or not at all.
 */
export const playGenerated = (seed: number): Played => {
  const random = randomOf(seed, 13);
  const classes = drawClasses(random);
  const definitions = definitionsOf(classes) as never;
  const origin = drawOrigin(random, classes);
  const { file, expected, ids } = writeEditorFile(random, origin);
  const problems: string[] = [];
  const text = writeExactJson(file);
  const { workflow, nodeMap, problems: found } = toApiWorkflow(file, definitions, settings);
  if (workflow === undefined) {
    problems.push(`refused: ${found.map(({ message }) => message).join(' ')}`);
  } else {
    const bare = Object.fromEntries(
      Object.entries(workflow).map(([id, { class_type, inputs }]) => [id, { class_type, inputs }]),
    );
    for (const id of new Set([...Object.keys(bare), ...Object.keys(expected)]))
      if (!isDeepStrictEqual(bare[id], expected[id]))
        problems.push(`node ${id} is ${shown(bare[id])}, not ${shown(expected[id])}`);
    const told = found.map(({ message }) => message);
    if (!isDeepStrictEqual(told.toSorted(), leftOut(file).toSorted()))
      problems.push(`warns: ${told.join(' ')}`);
  }
  const places = Object.entries(nodeMap).map(([id, { id: own, path }]) => [id, [...path, own].join(':')]);
  if (places.length !== ids.length || places.some(([id, place]) => id !== place))
    problems.push(`the map of its nodes is ${shown(nodeMap)}`);
  if (writeExactJson(file) !== text) problems.push('the conversion changed the file');
  const again = toApiWorkflow(parseExactJson(text) as never, definitions, settings);
  if (writeExactJson(again.workflow ?? {}) !== writeExactJson(workflow ?? {}))
    problems.push('the file written and read again gives another workflow');

  const errors = validateWorkflow(workflow, definitions).filter(({ severity }) => severity === 'error');
  const { mistake } = origin;
  const isFound = errors.some(
    ({ type, nodeId, input }) =>
      type === mistake?.type && nodeId === ids[mistake.node] && input === mistake.input,
  );
  if (errors.length !== (mistake === undefined ? 0 : 1) || (mistake !== undefined && !isFound))
    problems.push(`the validator says ${shown(errors)} where ${shown(mistake ?? 'no mistake')} was planted`);
  return {
    nodes: ids.length,
    subgraphs: file.definitions.subgraphs.length,
    isMistaken: mistake !== undefined,
    problems,
  };
};

/** What the conversion says of each part of the file that it leaves out, and that a person may miss. */
const leftOut = ({ nodes, links }: EditorFile['file']): readonly string[] => [
  ...(
    nodes as readonly { readonly id: unknown; readonly type: string; readonly outputs: readonly unknown[] }[]
  )
    .filter(({ type, outputs }) => type === 'PrimitiveNode' && outputs.length === 0)
    .map(({ id }) => `Node ${String(id)} (PrimitiveNode) feeds no input: its value is not sent.`),
  ...(links as readonly unknown[])
    .filter((link) => link === null)
    .map(() => '1 value of "links" is no link: left out.'),
];

const shown = (value: unknown): string => (value === undefined ? 'missing' : writeExactJson(value));
