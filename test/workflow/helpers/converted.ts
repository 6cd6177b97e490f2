import type { ConversionOptions, NodeDefinitions, UiWorkflow } from '../../../src/workflow.js';
import { definitions } from './node-definitions.js';
import { type Sketch, uiFile } from './ui-file.js';
import { toApiWorkflow } from '../../../src/workflow.js';

const settings = { random: () => 0, now: new Date(2026, 2, 4, 5, 6, 7) };

/** Converts with the definitions of the tests, random numbers that are 0, and the 4th of March 2026, 05:06:07. */
export const convert = (
  ui: UiWorkflow,
  options: ConversionOptions = {},
  known: NodeDefinitions | undefined = definitions,
) => toApiWorkflow(ui, known, { ...settings, ...options });

/** The inputs of each node that a file becomes, by id; throws where the conversion refuses. */
export const inputsOf = (ui: UiWorkflow, options?: ConversionOptions) => {
  const { workflow, problems } = convert(ui, options);
  if (workflow === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return Object.fromEntries(Object.entries(workflow).map(([id, node]) => [id, node.inputs]));
};

/** The inputs of the only node of a file. */
export const inputsOfNode = (type: string, values: unknown, more: Omit<Sketch, 'id' | 'type'> = {}) =>
  inputsOf(uiFile([{ id: 1, type, values, ...more }]))['1'];
