import { answerOf, type HttpClient, type RequestOptions } from './http-client.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { jsonBy } from './read-answer.js';
import type { RemoteRunOptions } from './remote.js';
import { callError } from '../../core/errors/call-error.js';
import { uuid } from '../../core/platform/uuid.js';
import type { PageWorld } from '../../core/platform/page.js';
import { writeExactJson } from '../../core/protocol/json/exact-json.js';

/** What a submission sends. */
export interface RemoteSubmission {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly options: RemoteRunOptions;
}

/**
 * Submits once, whatever becomes of the answers: all tries have one key, by which the gateway gives the first answer again. Resolves with
 * the job's id.
 */
export const createSubmit =
  ({ request, withRetries }: HttpClient, { clock }: Pick<PageWorld, 'clock'>) =>
  ({ path, body, options }: RemoteSubmission): Promise<string> => {
    const { metadata, webhook, idempotencyKey = uuid() } = options;
    const startedAt = clock.wall();
    let mayBeTaken = false;
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
      'idempotency-replay': 'true',
    };
    const readId = jsonBy((value) =>
      isJsonObject(value) && typeof value['id'] === 'string' ? value['id'] : undefined,
    );
    const retryDelay: RequestOptions['retryDelay'] = (error, failures) => {
      mayBeTaken ||= wasSent(error);
      return error.promptId === undefined ? withRetries.retryDelay?.(error, failures) : undefined;
    };
    const submission = {
      method: 'POST',
      path,
      headers,
      body: writeExactJson({ ...body, metadata, webhook }),
    } as const;
    return answerOf(request(submission, readId, { retryDelay })).catch((thrown: unknown) => {
      const error = thrown as ServiceError;
      // The gateway has a job that may never have reached the service; its states say what became of it.
      if (error.promptId !== undefined) return error.promptId;
      if (!mayBeTaken || isRefusalOfBody(error) || error._tag === 'Closed') throw error;
      const keyUsed = error.errorType === 'idempotency_key_reuse';
      const facts = { ...(keyUsed && { keyUsed }), cause: error };
      throw callError('OutcomeUnknown', { candidates: [], startedAt, ...facts });
    });
  };

const wasSent = (error: ServiceError): boolean =>
  error._tag === 'ServerError' || error._tag === 'Decode' || (error._tag === 'Network' && error.sent);

/** Every try with this body is refused for it, so none was taken. */
const isRefusalOfBody = ({ status, errorType }: ServiceError): boolean =>
  (status === 400 || status === 413 || status === 422) && errorType !== 'idempotency_key_reuse';
