import { failureByWord, type JobFailure, readFailure, unknownFailure } from '../../state/failure.js';
import { isJsonObject } from '../../protocol/json/json.js';
import { readNodeErrors } from '../../state/node-errors.js';
import type { StatusPhase } from '../../state/phase-of-status.js';

/** The type of the failure of a job that the service gave up: API v2 says `expired` and no more. */
export const expiredType = 'Expired';

/**
 * The phase that a status of API v2 stands for. A word that this version does not know, and `canceling`, end nothing: the job keeps
 * the phase that it was in (docs/protocol.md, chapter 12.5).
 */
export const phaseOfWord = (status: string): StatusPhase =>
  Object.hasOwn(phases, status) ? (phases[status] ?? 'pending') : 'pending';

const phases: Readonly<Record<string, StatusPhase>> = {
  running: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  expired: 'failed',
  canceled: 'cancelled',
};

/** How a job ended; undefined while it goes on. */
export const endPhaseOf = (status: string): 'completed' | 'failed' | 'cancelled' | undefined => {
  const phase = phaseOfWord(status);
  return phase === 'pending' || phase === 'in_progress' ? undefined : phase;
};

/** Why a job with this status failed, in the words of its `error` where it has one. */
export const failureOfJob = ({
  status,
  error,
}: {
  readonly status: string;
  readonly error?: unknown;
}): JobFailure => {
  const failure = isJsonObject(error) ? fromError(error) : failureByWord(status);
  return status === 'expired' ? { ...failure, exceptionType: expiredType } : failure;
};

/** `readFailure` takes the members by their names in v1, and cuts what is too long. */
const fromError = (error: Readonly<Record<string, unknown>>): JobFailure => {
  const { code, message, node_id, class_type, traceback, details } = error;
  const failure = readFailure({
    exception_type: code,
    exception_message: message,
    node_id,
    node_type: class_type,
    traceback: typeof traceback === 'string' && traceback !== '' ? traceback.split(/(?<=\n)/u) : traceback,
  });
  const nodeErrors = readNodeErrors(isJsonObject(details) ? details['node_errors'] : undefined);
  return {
    ...failure,
    ...(failure.exceptionMessage === '' && { exceptionMessage: unknownFailure().exceptionMessage }),
    ...(Object.keys(nodeErrors).length > 0 && { nodeErrors }),
  };
};
