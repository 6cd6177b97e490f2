import type { CallOptions, Pace } from '../../core/http/rest.js';
import * as E from '../../core/protocol/either.js';
import { type HistoryRecord, historyEndpoint } from '../../core/endpoints/history.js';
import type { HttpConnection } from '../../core/http/connection.js';
import type { JobStatus } from '../../core/endpoints/job-status.js';
import { queueEndpoint } from '../../core/endpoints/queue.js';
import { QueueScan } from '../../core/endpoints/queue-scan.js';
import { request } from '../../core/http/request.js';
import { scanAnswer } from './scan-answer.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/**
 * The state of a job on a server that has no status endpoint, from its queue and then its history.
 *
 * The order matters: a job moves from the one to the other, and would be missed the other way round. `NotFound` where it
 * is in neither, which one look alone does not prove (docs/protocol.md, chapter 11).
 */
export const localJobStatus =
  (connection: HttpConnection) =>
  (promptId: string, options: CallOptions & Pace = {}): TaskEither<ServiceError, JobStatus> =>
  async () => {
    const scanned = await scanQueue(connection, promptId, options)();
    if (E.isLeft(scanned)) return scanned;
    const { found: phase } = scanned.right;
    if (phase !== undefined) return E.right({ promptId, status: phase, phase });
    await options.nextPermit?.();
    const ask = request(connection);
    const history = await ask(historyEndpoint(promptId, 'history', { workflow: false }), options)();
    return E.isLeft(history) ? history : E.right(statusOf(promptId, history.right));
  };

/** A record is only written at the end, even where it does not say how that was. */
const statusOf = (promptId: string, { phase = 'completed', failure }: HistoryRecord): JobStatus => ({
  promptId,
  status: phase,
  phase,
  ...(failure === undefined ? {} : { failure }),
});

/** The ids of the jobs that run or wait on a local server. */
export const localQueuedJobs =
  (connection: HttpConnection, options: CallOptions = {}): TaskEither<ServiceError, ReadonlySet<string>> =>
  async () => {
    const scanned = await scanQueue(connection, undefined, options)();
    return E.isLeft(scanned) ? scanned : E.right(scanned.right.ids);
  };

/**
 * Reads the queue of a local server, as far as the job that is looked for or to its end.
 *
 * A server without that route is `ProtocolChanged`, since `NotFound` would mean that the job is gone.
 */
const scanQueue =
  (
    connection: HttpConnection,
    promptId: string | undefined,
    options: CallOptions,
  ): TaskEither<ServiceError, QueueScan> =>
  async () => {
    const scanned = await scanAnswer(connection, queueEndpoint(), () => new QueueScan(promptId), {
      ...options,
      listing: 'queue listing',
    })();
    return E.isLeft(scanned) && scanned.left.status === 404
      ? E.left(noQueue(scanned.left, connection.urls.missingRouteHint))
      : scanned;
  };

const noQueue = ({ endpoint, sample }: ServiceError, hint: string | undefined): ServiceError =>
  serviceError('ProtocolChanged', {
    message: 'The server has no queue at its address.',
    hint,
    endpoint,
    status: 404,
    sample,
  });
