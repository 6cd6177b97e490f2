import { concernsWorkflow } from '../../../core/errors/refusal-hints.js';
import type { NodeErrors } from '../../../core/state/node-errors.js';
import type { Refusal } from '../http/refusal.js';
import type { ServiceError } from '../../../core/errors/errors.js';

/** Makes a {@link Refusal} in the words of API v2. */
export const refusal = (
  status: number,
  code: string,
  message: string,
  more: Omit<Refusal, 'status' | 'code' | 'message'> = {},
): Refusal => ({ status, code, message, ...more });

/** The 404 of a job that the caller does not have. */
export const jobNotFound = refusal(404, 'job_not_found', 'There is no such job.');

/** The 400 of a cursor that no list gave. */
export const unknownCursor = refusal(400, 'invalid_cursor', 'This is no `next_cursor` of such a list.');

/** The 404 of an asset that the caller does not have. */
export const assetNotFound = refusal(404, 'asset_not_found', 'There is no such asset.');

/** The refusal of a body that asks for what the interface does not have. */
export const invalidWorkflow = (message: string, nodeErrors: unknown = {}): Refusal =>
  refusal(422, 'invalid_workflow', message, { details: { node_errors: nodeErrors } });

/**
 * What a caller of API v2 gets where the service refused the gateway's request, or did not answer it.
 *
 * Callers learn nothing of the gateway's own account: a fault of its key is a 500, and the log alone names it.
 */
export const refusalOf = (error: ServiceError): Refusal => {
  const { requestId } = error;
  return { ...refusalByTag(error), ...(requestId !== undefined && { requestId }) };
};

const refusalByTag = (error: ServiceError): Refusal => {
  switch (error._tag) {
    case 'BadRequest':
      return error.status === 400 || error.status === 422 || error.status === undefined
        ? refusedWorkflow(error.message, error.nodeErrors, error.errorType)
        : refusal(422, 'invalid_request', error.message);
    case 'InvalidWorkflow':
      return error.format === 'ui'
        ? refusal(422, 'workflow_format_ui', error.message)
        : invalidWorkflow(error.message);
    case 'InsufficientCredits':
    case 'SubscriptionInactive':
      return refusal(402, 'insufficient_credits', error.message);
    case 'Forbidden':
      // The policy of the account refuses nodes, which the message names, and takes other workflows.
      return concernsWorkflow(error.errorType) ? invalidWorkflow(error.message) : ownFault;
    case 'QueueFull':
      return refusal(429, 'queue_full', error.message, { retryAfterS: secondsOf(error.retryAfterMs) });
    case 'RateLimited':
      return refusal(
        429,
        error.errorType === 'deployment_not_ready' ? error.errorType : 'rate_limited',
        error.message,
        {
          retryAfterS: secondsOf(error.retryAfterMs),
        },
      );
    case 'TooLarge':
      return refusal(413, 'payload_too_large', error.message);
    case 'HashMismatch':
      return refusal(409, 'hash_mismatch', error.message);
    case 'Network':
      return unreachable('The connection to the service behind this gateway failed.', error.retryAfterMs);
    case 'Timeout':
      return unreachable('The service behind this gateway did not answer in time.', error.retryAfterMs);
    case 'DownloadFailed':
      return error.retry === 'after'
        ? unreachable('The service behind this gateway did not send the whole file.', error.retryAfterMs)
        : ownFault;
    case 'Closed':
    case 'Draining':
    case 'Aborted':
      return unreachable('This gateway asks its service no more: its client is going down.');
    case 'NotSupported':
      return refusal(501, 'not_implemented', error.message);
    default:
      return ownFault;
  }
};

const ownFault: Refusal = refusal(
  500,
  'upstream_error',
  'The request of this gateway to its service failed.',
);

const unreachable = (message: string, retryAfterMs?: number): Refusal =>
  refusal(503, 'upstream_unreachable', message, { retryAfterS: secondsOf(retryAfterMs) });

const refusedWorkflow = (message: string, nodeErrors: NodeErrors, errorType: string | undefined): Refusal =>
  errorType === 'missing_asset' || errorType === 'workflow_format_ui' || errorType === 'deployment_stopped'
    ? refusal(422, errorType, message)
    : invalidWorkflow(message, fieldErrors(nodeErrors));

/** What is wrong with the nodes of a workflow, by node: the input and the reason. */
const fieldErrors = (
  nodeErrors: NodeErrors,
): Readonly<Record<string, readonly { readonly field: string; readonly reason: string }[]>> =>
  Object.fromEntries(
    Object.entries(nodeErrors).map(([nodeId, { errors }]) => [
      nodeId,
      errors.map(({ message, details, extraInfo }) => ({
        field: typeof extraInfo['input_name'] === 'string' ? extraInfo['input_name'] : '',
        reason: details === '' ? message : `${message}: ${details}`,
      })),
    ]),
  );

/** What `Retry-After` says: whole seconds, and at least one, as 0 makes a client repeat without a pause. */
const secondsOf = (milliseconds = 2000): number => Math.max(1, Math.ceil(milliseconds / 1000));
