import * as E from '../protocol/either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { historyEndpoint } from '../protocol/endpoints/history.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import type { History } from '../protocol/answers/history.js';
import type { JobStatus } from '../protocol/answers/job-status.js';
import type { HttpConnection } from './connection.js';
import { findInQueue } from './find-in-queue.js';
import { request } from './request.js';
import type { CallOptions, Pace } from './rest.js';

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
    const listed = await findInQueue(connection, promptId, options)();
    if (E.isLeft(listed)) return listed;
    const phase = listed.right;
    if (phase !== undefined) return E.right({ promptId, status: phase, phase });
    await options.nextTurn?.();
    const ask = request(connection);
    const history = await ask(historyEndpoint(promptId, 'local'), options)();
    return E.isLeft(history) ? history : E.right(statusOf(promptId, history.right));
  };

/** A record is only written at the end, even where it does not say how that was. */
const statusOf = (promptId: string, { phase = 'completed', failure }: History): JobStatus => ({
  promptId,
  status: phase,
  phase,
  ...(failure === undefined ? {} : { failure }),
});
