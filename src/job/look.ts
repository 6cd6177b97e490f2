import * as E from '../protocol/either.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import type { JobEvent } from '../protocol/state/job-event.js';
import type { Rest } from '../http/rest.js';
import { historyRead } from './history-read.js';

/** What one look at REST tells: an event of the job, or that neither status nor history knows it. */
export type Look = JobEvent | { readonly _tag: 'Missing' };

/**
 * Asks the service where a job stands: its status, and where that is unknown its history.
 *
 * A Left says nothing about the job, only about the asking.
 */
export const look =
  ({ jobStatus, history }: Pick<Rest, 'jobStatus' | 'history'>, promptId: string) =>
  async (): Promise<E.Either<ServiceError, Look>> => {
    const status = await jobStatus(promptId)();
    if (E.isRight(status)) {
      const { phase, failure } = status.right;
      return E.right({ _tag: 'StatusRead', promptId, phase, failure });
    }
    if (status.left._tag !== 'NotFound') return status;

    const record = await history(promptId)();
    if (E.isRight(record)) {
      return E.right(historyRead(record.right));
    }
    return record.left._tag === 'NotFound' ? E.right({ _tag: 'Missing' }) : record;
  };
