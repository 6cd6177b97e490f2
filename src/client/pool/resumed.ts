import { catchError, defer, type Observable, of, throwError } from 'rxjs';
import { endedAs } from '../../core/state/ended-as.js';
import { gave } from './server-state.js';
import { initialJobState } from '../../core/state/initial-job-state.js';
import { isServiceError, serviceError } from '../../core/errors/service-error.js';
import type { Job } from '../jobs/job-handle.js';
import type { JobLife } from './job-life.js';
import type { JobState } from '../../core/state/job-state.js';
import type { Placed } from './dispatcher.js';
import type { PoolContext } from './pool-context.js';
import type { PooledServer } from './pool-server.js';
import type { PoolPlace } from './start-options.js';
import { submitted, took } from './submitted.js';

/** The server of an earlier submission, which holds the job again. Errors with `NotFound` where the pool has it no more. */
export const formerPlace = (
  { servers, times }: PoolContext,
  { number, work }: JobLife,
  { server: name, promptId }: PoolPlace,
): Observable<Placed> =>
  defer(() => {
    const server = servers.get(name);
    if (server === undefined) {
      const message = `The pool has no server ${name} any more, which had the job.`;
      return throwError(() =>
        serviceError('NotFound', { message, ...(promptId !== undefined && { promptId }) }),
      );
    }
    const expectedMs = times.runMs(name, work) + times.loadMs(name, work, server.state().models);
    server.update((state) => gave(state, number, { work, expectedMs }));
    return of<Placed>({ _tag: 'given', server });
  });

/**
 * The job of an earlier submission, as its server knows it; where the server never got it, it may be submitted again, and where nothing tells
 * that, it errors with `OutcomeUnknown`.
 */
export const resumed = (
  context: PoolContext,
  life: JobLife,
  server: PooledServer,
  place: PoolPlace,
): Observable<Job> =>
  defer(() => {
    const { client } = server;
    const { submissionId } = life.options;
    const promptId = place.promptId ?? submissionId;
    // A key makes one job, however often it is sent.
    if (promptId === undefined || (place.promptId === undefined && client.submissionIds === 'keys'))
      return submitted(context, life, server, place.attempt);
    const job = client.job(promptId, { workflow: life.workflow });
    const states = job.states.pipe(
      catchError((error: unknown): Observable<JobState> => {
        if (!isServiceError(error) || error._tag !== 'NotFound') return throwError(() => error);
        if (place.promptId !== undefined)
          return of(endedAs(initialJobState({ promptId, workflow: life.workflow }), 'untraceable'));
        const ids = [place.submissionIds, client.submissionIds];
        return throwError(() => (ids.includes('jobs') ? error : neverAnswered(error, context.clock.wall())));
      }),
    );
    took(context, life, server, job);
    return of({ ...job, promptId, states });
  });

const neverAnswered = (cause: unknown, startedAt: number): unknown =>
  serviceError('OutcomeUnknown', {
    ...{ candidates: [], startedAt, cause },
    message: 'The answer to the submission never came, and the server does not tell whether it has the job.',
  });
