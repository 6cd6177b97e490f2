import { isServiceError } from '../../../remote.js';
import type { NodeErrors } from '../../../index.js';

/** What went wrong and what to do, in words. */
export interface Failure {
  readonly message: string;
  readonly hint?: string;
  /** Whether signing in may help. */
  readonly isRefused: boolean;
  /** What the service refused, by node. */
  readonly faults?: readonly NodeFault[];
}

/** What the service refused of a node. */
export interface NodeFault {
  readonly nodeId: string;
  readonly nodeType: string;
  /** Empty if the fault is of the whole node. */
  readonly input: string;
  readonly what: string;
}

/** Says an error in words, also one of the page itself, since a silent page helps no one. */
export const failureOf = (error: unknown): Failure => {
  if (isServiceError(error)) {
    const { message, hint, _tag } = error;
    const faults = error._tag === 'BadRequest' ? faultsOf(error.nodeErrors) : [];
    return {
      message,
      ...(hint !== '' && { hint }),
      isRefused: _tag === 'Unauthorized',
      ...(faults.length > 0 && { faults }),
    };
  }
  return { message: error instanceof Error ? error.message : String(error), isRefused: false };
};

/** The faults of all nodes, one each. */
export const faultsOf = (nodeErrors: NodeErrors): readonly NodeFault[] =>
  Object.entries(nodeErrors).flatMap(([nodeId, { classType, errors }]) =>
    errors.map(({ type, message, details, extraInfo }) => {
      const input = extraInfo['input_name'];
      const what = [message === '' ? type : message, details].filter((part) => part !== '').join(': ');
      return { nodeId, nodeType: classType, input: typeof input === 'string' ? input : '', what };
    }),
  );
