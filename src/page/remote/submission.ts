import { answerOf, type HttpClient, type RequestOptions } from './http-client.js';
import { defer, Observable, switchMap, tap } from 'rxjs';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { isTerminal, noNodes } from '../../core/state/job-state.js';
import type { JobState } from '../../core/state/job-state.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { jsonBy } from './read-answer.js';
import { noNodeErrors } from '../../core/state/node-errors.js';
import { noOutputs } from '../../core/state/outputs.js';
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
    const { metadata, idempotencyKey = uuid() } = options;
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
      body: writeExactJson({ ...body, metadata }),
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

/** Submits on subscribe, and follows the job to its end. */
export const submitAndFollow = (
  submit: () => Promise<string>,
  follow: (id: string) => Observable<JobState>,
  cancel: (id: string) => Promise<unknown>,
  { onUnsubscribe }: RemoteRunOptions,
): Observable<JobState> =>
  new Observable((subscriber) => {
    let isOver = false;
    subscriber.next(submitting);
    // Nobody aborts a submission: its answer says which job to end.
    const submitted = submit();
    subscriber.add(() => {
      if (onUnsubscribe === 'cancel' && !isOver) submitted.then(cancel).catch(() => undefined);
    });
    return defer(() => submitted)
      .pipe(
        switchMap(follow),
        tap(({ phase }) => (isOver = isTerminal(phase))),
      )
      .subscribe(subscriber);
  });

const submitting: JobState = {
  promptId: '',
  phase: 'submitting',
  nodes: noNodes,
  progress: 0,
  outputs: noOutputs,
  outputsComplete: false,
  nodeErrors: noNodeErrors,
  warnings: [],
};
