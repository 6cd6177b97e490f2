import type { NodeErrors } from '../validation/problem.js';

/** What is wrong with the nodes of a workflow, by node: the input and the reason. */
export const fieldErrors = (
  nodeErrors: NodeErrors,
): Readonly<Record<string, readonly { readonly field: string; readonly reason: string }[]>> =>
  Object.fromEntries(
    Object.entries(nodeErrors).map(([nodeId, { errors }]) => [
      nodeId,
      errors.map(({ message, details, extra_info }) => ({
        field: typeof extra_info['input_name'] === 'string' ? extra_info['input_name'] : '',
        reason: details === '' ? message : `${message}: ${details}`,
      })),
    ]),
  );
