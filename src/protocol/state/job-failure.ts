import type { NodeErrors } from '../answers/node-errors.js';

/** Why a job failed, in the service's words. */
export interface JobFailure {
  /** `exception_type` as sent: one of the documented six, a Python class name or anything newer; `Unknown` if absent. */
  readonly exceptionType: string;
  /** `exception_message` without its trailing line break. */
  readonly exceptionMessage: string;
  readonly nodeId?: string;
  readonly nodeType?: string;
  readonly traceback: readonly string[];
  /** Filled where the message carried the body of a refused validation. */
  readonly nodeErrors: NodeErrors;
}
