import { type Either, left, right } from '../protocol/either.js';
import { fileInput, isUploadedFile } from './file-input.js';
import { isLink, type Workflow } from '../protocol/workflow.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';

/**
 * Copies a workflow with another value for one input of one node.
 *
 * An array is a literal, wrapped as `{ __value__: [...] }` for the service, unless it is a link `[nodeId, slot]` to a node of
 * the workflow. The answer of an upload becomes what refers to the file, as `fileInput` gives it. It does not check that the node class has this input; only the service knows. Left is `UnknownNode` with
 * the ids of the workflow (docs/protocol.md, chapter 9).
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
): Either<ServiceError, Workflow> => {
  const node = Object.hasOwn(workflow, nodeId) ? workflow[nodeId] : undefined;
  if (node === undefined) {
    return left(
      serviceError('UnknownNode', {
        nodeId,
        knownNodes: Object.keys(workflow),
        message: `The workflow has no node "${nodeId}".`,
      }),
    );
  }
  const literal =
    Array.isArray(value) && !isLink(workflow, value)
      ? { __value__: value }
      : isUploadedFile(value)
        ? fileInput(value)
        : value;
  // A computed key makes an own member even of `__proto__`.
  return right({ ...workflow, [nodeId]: { ...node, inputs: { ...node.inputs, [name]: literal } } });
};
