import * as E from '../protocol/either.js';
import { filter, finalize, map, type Observable, take, throwError } from 'rxjs';
import { abortable } from '../interop/abortable.js';
import type { SubmitOptions } from '../http/rest.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import type { Frame } from '../protocol/frames/frame.js';
import { serviceError } from '../protocol/errors/service-error.js';
import type { Submission } from '../protocol/answers/submission.js';
import type { Workflow } from '../protocol/workflow/workflow.js';
import { after } from '../socket/after.js';
import { defer } from '../streams/defer.js';
import { fromPromise } from '../streams/from-promise.js';
import { merge } from '../streams/merge.js';
import { mergeMap } from '../streams/merge-map.js';
import type { JobContext } from './job-context.js';
import { prepareWorkflow } from './prepare-workflow.js';

/** How long a submission waits for the socket before it goes ahead without. */
const socketWithinMs = 10_000;

/** A submission that the service accepted. */
export interface Accepted {
  readonly submission: Submission;
  /** The job's frames that came before the answer; valid in the turn in which this is emitted. */
  readonly claim: () => readonly Frame[];
  /** The socket that was open when the job was submitted. */
  readonly clientId: string | undefined;
}

/** Options of {@link accept}. */
export interface AcceptOptions extends SubmitOptions {
  /** Called with an answer that came after unsubscribing: the job runs and nobody here watches it. */
  readonly unwatched?: (submission: Submission) => void;
}

/**
 * Listens, then posts: the socket is open (or known not to open) and keeps what it hears before the workflow leaves.
 *
 * Each subscription is one submission, of the workflow as it is at that moment. Emits once and completes. Unsubscribing
 * before the request has left prevents it, and so it does while a refused one waits to be sent again; otherwise the request
 * goes on, and its answer is told to `unwatched`. A signal that fires before the request has left is `Aborted`; later,
 * without an answer, the outcome is unknown. An `OutcomeUnknown` error carries the ids of foreign jobs that began meanwhile
 * as candidates. An answer that names the job of an earlier submission is unknown as well.
 */
export const accept = (
  context: JobContext,
  workflow: Workflow,
  { unwatched, ...options }: AcceptOptions = {},
): Observable<Accepted> =>
  defer(() => {
    const prepared = prepareWorkflow(workflow);
    if (E.isLeft(prepared)) return throwError(() => prepared.left);

    const expected = context.source.expect();
    const withdrawal = new AbortController();
    let isAnswered = false;
    const post = async (): Promise<E.Either<ServiceError, Submission>> => {
      const startedAt = context.platform.clock.wall();
      const answer = await context.rest.submit(prepared.right, {
        ...options,
        withdrawn: withdrawal.signal,
      })();
      isAnswered = true;
      if (E.isRight(answer) && !context.accepted.add(answer.right.promptId))
        return E.left(answeredTwice(answer.right.promptId, startedAt));
      if (withdrawal.signal.aborted && E.isRight(answer)) unwatched?.(answer.right);
      return answer;
    };
    const posted = socketIsReady(context).pipe(
      abortable(options.signal, { sent: false }),
      mergeMap((clientId) => fromPromise(post).pipe(map((answer) => ({ answer, clientId })))),
      map(({ answer, clientId }) => {
        if (E.isLeft(answer)) throw withCandidates(answer.left, expected.strangers());
        const submission = answer.right;
        return { submission, claim: () => expected.claim(submission.promptId), clientId };
      }),
      take(1),
    );
    return merge(context.source.connected, posted).pipe(
      take(1),
      finalize(() => {
        // The error that a signal makes of its abort is dear.
        if (!isAnswered) withdrawal.abort();
        expected.end();
      }),
    );
  });

/** The id of the open socket, or undefined as soon as waiting for one is pointless. */
const socketIsReady = ({ source, platform }: JobContext): Observable<string | undefined> =>
  merge(
    source.states.pipe(
      filter(({ _tag }) => _tag !== 'idle' && _tag !== 'connecting'),
      map((state) => (state._tag === 'open' ? state.clientId : undefined)),
    ),
    after(platform.clock, socketWithinMs).pipe(map(() => undefined)),
  ).pipe(take(1));

/** The first submission keeps the job: what became of the second one nobody can tell. */
const answeredTwice = (promptId: string, startedAt: number): ServiceError =>
  serviceError('OutcomeUnknown', {
    message: `The service answered with the id of an earlier submission: ${promptId}.`,
    endpoint: 'POST /api/prompt',
    candidates: [promptId],
    startedAt,
  });

const withCandidates = (error: ServiceError, strangers: readonly string[]): ServiceError => {
  if (error._tag !== 'OutcomeUnknown') return error;
  const { message, startedAt, endpoint, status, errorType, sample, cause } = error;
  const candidates = [...new Set([...error.candidates, ...strangers])];
  return serviceError('OutcomeUnknown', {
    message,
    startedAt,
    endpoint,
    status,
    errorType,
    sample,
    cause,
    candidates,
  });
};
