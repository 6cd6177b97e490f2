import type { NodeErrors } from '../answers/node-errors.js';

/** Why a job failed, in the service's words; in `runAll` also why a submission was refused or its outcome is unknown. */
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
  /** Of a submission whose outcome is unknown: ids of jobs that it may have become. */
  readonly candidates?: readonly string[];
  /** Of a submission whose outcome is unknown: when it was sent, in milliseconds since 1970. */
  readonly startedAt?: number;
}
