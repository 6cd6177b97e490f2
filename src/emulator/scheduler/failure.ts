import { NodeFailure } from '../engine/node-class.js';
import type { EmulatorOptions } from '../options.js';
import type { GraphNode } from './graph.js';

/** Why a job failed, with the members of `execution_error` that the job's record keeps. */
export interface Failure {
  readonly node_id: string | null;
  readonly node_type: string | null;
  readonly exception_type: string;
  readonly exception_message: string;
  readonly traceback: readonly string[];
}

/** A failure before any node ran. */
export const failureWithoutNode = (type: string, message: string): Failure => ({
  node_id: null,
  node_type: null,
  exception_type: type,
  exception_message: message,
  traceback: [],
});

/** Reads what a node threw: a chosen exception type, or the error's own name. */
export const failureOfNode = (nodeId: string, node: GraphNode, error: unknown): Failure => {
  const type = exceptionType(error);
  const message = error instanceof Error ? error.message : String(error);
  return {
    node_id: nodeId,
    node_type: node.classType,
    exception_type: type,
    exception_message: `${message}\n`,
    traceback: [`  in node ${nodeId} (${node.classType})\n`, `${type}: ${message}\n`],
  };
};

/** Money is looked at again when a job's turn comes: the account may have changed since its submission. */
export const billingFailure = (billing: NonNullable<EmulatorOptions['billing']>): Failure | undefined => {
  switch (billing) {
    case 'active':
      return undefined;
    case 'no credits':
      return failureWithoutNode('InsufficientFundsError', 'The account has no credits left.');
    case 'inactive':
      return failureWithoutNode('InactiveSubscriptionError', 'The account has no active subscription.');
  }
};

const exceptionType = (error: unknown): string => {
  if (error instanceof NodeFailure) return error.exceptionType;
  return error instanceof Error && error.name !== 'Error' ? error.name : 'Exception';
};
