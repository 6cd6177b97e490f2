import * as E from '../protocol/either.js';
import { isLink, type Workflow } from '../protocol/workflow.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';

/**
 * Gives one input of one node another value, in a copy: the workflow itself stays as it is.
 *
 * An array is taken as a literal and wrapped as the service wants it, `{ __value__: [...] }`, unless it is a link
 * `[nodeId, slot]` to a node of the workflow. Whether the node class has such an input only the service knows. Left is
 * `UnknownNode` with the ids that there are (docs/protocol.md, chapter 9).
 *
 * @example
 * ```ts
 * import { setInput, type Workflow } from 'promptwire';
 *
 * const withSeed = (workflow: Workflow, seed: number) => setInput(workflow, '3', 'seed', seed);
 * ```
 */
export const setInput = (
  workflow: Workflow,
  nodeId: string,
  name: string,
  value: unknown,
): E.Either<ServiceError, Workflow> => {
  const node = Object.hasOwn(workflow, nodeId) ? workflow[nodeId] : undefined;
  if (node === undefined) {
    return E.left(
      serviceError('UnknownNode', {
        nodeId,
        knownNodes: Object.keys(workflow),
        message: `The workflow has no node "${nodeId}".`,
      }),
    );
  }
  const literal = Array.isArray(value) && !isLink(workflow, value) ? { __value__: value } : value;
  // Computed keys define own members, `__proto__` like any other.
  return E.right({ ...workflow, [nodeId]: { ...node, inputs: { ...node.inputs, [name]: literal } } });
};
