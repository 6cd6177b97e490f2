import { isJsonObject } from './json/json.js';
import type { Problem } from './problem.js';
import type { Workflow } from './workflow.js';

/** Warnings about inputs whose integer may have been rounded when the JSON was parsed; none for what is no node. */
export const roundedInApi = (workflow: Workflow): readonly Problem[] => {
  const problems: Problem[] = [];
  for (const nodeId of Object.keys(workflow)) {
    const node: unknown = workflow[nodeId];
    if (isJsonObject(node) && isJsonObject(node['inputs']))
      problems.push(...roundedInInputs(node['inputs'], { nodeId }));
  }
  return problems;
};

/** Likewise for the inputs of one node, or those of a template. */
export const roundedInInputs = (
  inputs: Readonly<Record<string, unknown>>,
  where: Pick<Problem, 'nodeId'> = {},
): readonly Problem[] =>
  Object.keys(inputs)
    .filter((input) => isRounded(inputs[input]))
    .map((input) => roundedInteger(inputs[input], { ...where, input }));

/** Whether a value is an integer that a `number` can't hold exactly. */
export const isRounded = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);

/** The warning about such an integer. */
export const roundedInteger = (value: unknown, where: Pick<Problem, 'nodeId' | 'input'>): Problem => ({
  ...where,
  type: 'rounded_integer',
  severity: 'warning',
  message:
    `${String(value)} may not be the number of the file: JSON.parse rounds integers beyond 2^53. ` +
    'Pass the text, or what parseExactJson of promptwire/workflow reads, so that it stays exact.',
});
