import type { ConnectionState } from '../../core/socket/connection-state.js';
import { abortable } from '../../core/interop/abortable.js';
import * as E from '../../core/protocol/either.js';
import { defer, filter, map, merge, mergeMap, Observable, of, Subscription, take, throwError } from 'rxjs';
import { fromAbortSignal } from '../../core/interop/from-abort-signal.js';
import { fromTaskEither } from '../../core/interop/from-task-either.js';
import type { Frame } from '../../core/protocol/frames/frame.js';
import type { JobContext } from './job-context.js';
import { isLargerThan } from '../../core/protocol/json/is-larger-than.js';
import { markerField } from '../../core/lost/match-candidates.js';
import { noNodeErrors } from '../../core/state/node-errors.js';
import { readySubmission } from './ready-submission.js';
import { roundedInApi } from '../../core/protocol/rounded-integers.js';
import type { Problem } from '../../core/protocol/problem.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError, withCandidates } from '../../core/errors/service-error.js';
import { seekSubmission } from './seek-submission.js';
import type { SoughtSubmission } from '../dialects/dialect.js';
import type { Submission } from '../../core/endpoints/submit.js';
import type { SubmissionHooks } from './recent-submissions.js';
import type { SocketMark } from './deaf-socket.js';
import type { SubmitOptions } from '../../core/http/rest.js';
import type { ValidateMode } from './validation.js';
import type { Workflow } from '../../core/protocol/workflow.js';
import { timerOn } from '../../core/platform/timer.js';

/** How long a submission waits for the socket before it goes ahead without. */
const socketWithinMs = 10_000;

/** A submission that the service accepted. */
export interface Accepted {
  readonly submission: Submission;
  /** The job's frames that came before the answer; valid in the turn in which this is emitted. */
  readonly claim: () => readonly Frame[];
  /** The id that the job was submitted with, of the socket that was open or, on a local server, that will be. */
  readonly clientId: string | undefined;
  /** What the open socket had brought when the submission left; absent if none was open. */
  readonly mark?: SocketMark | undefined;
  /** What the check before the submission found, where it was asked for, and integers that may have been rounded. */
  readonly problems?: readonly Problem[];
  /** The output nodes that were asked for. */
  readonly targets?: readonly string[] | undefined;
  /** The workflow as it was sent, where that is another one than the caller's. */
  readonly sent?: Workflow;
  /** What is lost of the frames that came before the answer. */
  readonly warning?: string | undefined;
}

/** Options of {@link accept}. */
export interface AcceptOptions extends SubmitOptions, Partial<SubmissionHooks> {
  readonly ephemeral?: boolean | undefined;
  readonly validate?: ValidateMode | undefined;
}

/**
 * Listens, then posts: the socket is open (or known not to open) and keeps what it hears before the workflow leaves.
 *
 * Each subscription is one submission, of the workflow as it is at that moment. Emits once and completes. Unsubscribing
 * before the request has left prevents it, and so it does while a refused one waits to be sent again; otherwise the request
 * goes on, and `orphaned` takes its answer. A signal that fires before the request has left is `Aborted`; later,
 * without an answer, the outcome is unknown, and so it is where the client is closed meanwhile. An `OutcomeUnknown` error
 * carries the ids of foreign jobs that began meanwhile as candidates. Where the service tells the job of a submission from others, a lost
 * answer is made up for: the job is looked for, for half a minute, and taken where there is one. An answer that names the job of an earlier submission
 * is unknown as well. A client that is being drained refuses with `Draining`. With `validate`, the workflow is checked before
 * all this, and in mode `strict` refused for its errors. Integers that may have been rounded are among `problems` in any mode.
 */
export const accept = (
  context: JobContext,
  workflow: Workflow,
  { validate = 'off', ephemeral = false, ...options }: AcceptOptions = {},
): Observable<Accepted> =>
  defer(() => {
    const ready = readySubmission(context.dialect, workflow, { ...options, ephemeral, validate });
    if (E.isLeft(ready)) return throwError(() => ready.left);
    const { workflow: sent, problems: known } = ready.right;
    const { targets } = options;
    const submit = (): Observable<Accepted> => {
      const refusal = context.work.refusal();
      if (refusal !== undefined) return throwError(() => refusal);
      const accepted = listenAndPost(context, sent, options);
      return ephemeral ? accepted.pipe(map((one) => ({ ...one, sent }))) : accepted;
    };
    const rounded = [...known, ...roundedInApi(sent)];
    const submitWith = (problems: readonly Problem[]): Observable<Accepted> =>
      submit().pipe(map((accepted) => ({ ...accepted, problems: [...problems, ...rounded] })));
    const submitBare = (): Observable<Accepted> => (rounded.length === 0 ? submit() : submitWith([]));
    if (validate === 'off' && targets === undefined) return submitBare();
    return check(context, sent, validate, options).pipe(
      mergeMap((problems) => (validate === 'off' ? submitBare() : submitWith(problems))),
    );
  });

/** Emits what the check of the workflow found; errors where it must not be sent. */
const check = (
  context: JobContext,
  workflow: Workflow,
  mode: ValidateMode,
  { targets, signal }: Pick<AcceptOptions, 'targets' | 'signal'>,
): Observable<readonly Problem[]> => {
  const refusal = context.work.refusal();
  if (refusal !== undefined) return throwError(() => refusal);
  return fromTaskEither(() => context.validate(workflow, mode, targets)).pipe(
    abortable(signal, { sent: false }),
  );
};

/** A source: the request leaves within it, and may outlive its subscriber. */
const listenAndPost = (
  context: JobContext,
  workflow: Workflow,
  { orphaned, outcomeUnknown, ...options }: AcceptOptions,
): Observable<Accepted> =>
  new Observable((subscriber) => {
    const { source, rest, platform, dialect, work } = context;
    const settled = work.begin();
    const expected = source.expect();
    const withdrawal = new Subscription();
    let stage: 'listening' | 'posted' | 'answered' = 'listening';
    let foreignJobs: readonly string[] | undefined;

    const fail = (error: unknown): void => subscriber.error(error);
    const leave = (): void => {
      if (stage !== 'answered') withdrawal.unsubscribe();
      if (stage === 'listening') settled();
      expected.end();
    };
    // Once the request is on its way, its own end says what the end of the client made of it.
    const disconnected = (error: unknown): void => {
      foreignJobs = expected.foreignJobs();
      expected.end();
      if (stage === 'listening') fail(error);
    };
    const refused = (error: ServiceError): void => {
      const failure = withCandidates(error, foreignJobs ?? expected.foreignJobs());
      if (failure._tag === 'OutcomeUnknown') outcomeUnknown?.(failure);
      fail(failure);
    };
    const accepted = (
      submission: Submission,
      clientId: string | undefined,
      mark: SocketMark | undefined,
    ): void => {
      if (subscriber.closed) orphaned?.(submission);
      const { promptId } = submission;
      const claim = (): readonly Frame[] => expected.claim(promptId);
      const { targets } = options;
      subscriber.next({ submission, claim, clientId, mark, targets, warning: expected.dropped(promptId) });
      subscriber.complete();
    };
    const post = (openId: string | undefined): void => {
      stage = 'posted';
      const clientId = openId ?? (dialect.jobs.eventsFollowClientId ? source.clientId : undefined);
      const startedAt = platform.clock.wall();
      const mark = openId === undefined ? undefined : { clientId: openId, messages: source.messages };
      const { submissionId = platform.uuid() } = options;
      rest
        .submit(workflow, { ...marked(context, options, submissionId), withdrawal })()
        .then((answer) => {
          stage = 'answered';
          return recover(context, options, answer, { submissionId, clientId, workflow, startedAt });
        })
        .then((answer) => {
          if (E.isLeft(answer)) refused(answer.left);
          else if (context.accepted.add(answer.right.promptId)) accepted(answer.right, clientId, mark);
          else refused(answeredTwice(answer.right.promptId, startedAt));
        }, fail)
        .finally(settled);
    };

    subscriber.add(leave);
    subscriber.add(source.connected.subscribe({ error: disconnected }));
    if (subscriber.closed) return;
    const open = socketIsReady(context);
    // A large workflow has been copied in this turn of the event loop; its body is made in another one.
    const ready = isLargerThan(workflow, 262_144)
      ? open.pipe(mergeMap((openId) => timerOn(platform.clock, 0).pipe(map(() => openId))))
      : open;
    subscriber.add(
      ready.pipe(abortable(options.signal, { sent: false })).subscribe({ next: post, error: fail }),
    );
  });

/** The options with the marker of the submission, by which its job is found where an answer is lost and the service gives its own ids. */
const marked = (
  { findSubmission, dialect }: JobContext,
  options: AcceptOptions,
  submissionId: string,
): SubmitOptions =>
  findSubmission === undefined || dialect.jobs.submissionIds !== 'none'
    ? { ...options, submissionId }
    : { ...options, submissionId, extraData: { [markerField]: submissionId, ...options.extraData } };

/** The answer, or the job of the submission where its answer was lost and the service shows which job that is. */
const recover = async (
  { platform: { clock }, findSubmission: find, source, accepted, ids }: JobContext,
  { signal, retry = true, findLost = retry }: AcceptOptions,
  answer: E.Either<ServiceError, Submission>,
  { clientId, ...sought }: Omit<SoughtSubmission, 'clientId'> & { readonly clientId: string | undefined },
): Promise<E.Either<ServiceError, Submission>> => {
  if (E.isRight(answer) || answer.left._tag !== 'OutcomeUnknown') return answer;
  // A caller that keeps records of its own finds out by itself.
  if (find === undefined || clientId === undefined || !findLost) return answer;
  const until = merge(fromAbortSignal(signal), source.states.pipe(filter(({ _tag }) => _tag === 'closed')));
  const found = await seekSubmission({ clock, find, isKnown: accepted.has, until }, { ...sought, clientId });
  const [promptId, ...others] = found;
  if (promptId === undefined) return answer;
  if (others.length > 0) return E.left(withCandidates(answer.left, found));
  if (promptId === sought.submissionId) ids.areTaken();
  return E.right({ promptId, nodeErrors: noNodeErrors });
};

/**
 * The id of the open socket, or undefined if it does not open: one attempt to connect is waited for, for 10 s at most, and none
 * where the latest one failed. Ends a wait to reconnect.
 */
const socketIsReady = ({ source, platform }: JobContext): Observable<string | undefined> => {
  const now = source.states.value;
  if (now._tag === 'open') return of(now.clientId);
  const hadFailed = source.hasFailed;
  source.wake();
  return merge(
    source.states.pipe(
      filter((state) => hadFailed || isSettled(state, source)),
      map((state) => (state._tag === 'open' ? state.clientId : undefined)),
    ),
    timerOn(platform.clock, socketWithinMs).pipe(map(() => undefined)),
  ).pipe(take(1));
};

const isSettled = ({ _tag }: ConnectionState, { hasFailed }: JobContext['source']): boolean =>
  _tag === 'open' || _tag === 'failed' || _tag === 'closed' || (hasFailed && _tag !== 'connecting');

/** The first submission keeps the job; the outcome of the second one is unknown. */
const answeredTwice = (promptId: string, startedAt: number): ServiceError =>
  serviceError('OutcomeUnknown', {
    message: `The service answered with the id of an earlier submission: ${promptId}.`,
    endpoint: 'POST /api/prompt',
    candidates: [promptId],
    startedAt,
  });
