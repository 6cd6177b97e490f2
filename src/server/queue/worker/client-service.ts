import type { Client } from '../../../client/client-types.js';
import type { Job } from '../../../client/jobs/job-handle.js';
import type { JobState } from '../../../core/state/job-state.js';
import type { Preview } from '../../../core/protocol/frames/frame.js';
import type { Rest } from '../../../core/http/rest.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import type { Submission } from '../../../core/endpoints/submit.js';
import * as E from '../../../core/protocol/either.js';
import { normalise, sameWorkflow } from '../../../core/lost/same-workflow.js';
import { jobsSince } from '../../../core/lost/jobs-since.js';
import { observeById } from './observe-by-id.js';
import { carriesMarker, markerField, matchCandidates } from '../../../core/lost/match-candidates.js';
import type { StoredWorkflow } from '../store/job-store.js';
import type { SubmissionService } from '../policy/submission-ports.js';
import {
  catchError,
  filter,
  firstValueFrom,
  ignoreElements,
  merge,
  NEVER,
  type Observable,
  race,
  take,
} from 'rxjs';
import { socketSaversIn } from '../../../core/state/socket-images.js';
import type { Workflow } from '../../../core/protocol/workflow.js';
import { abortAfter } from '../../../core/platform/abort-after.js';
import type { Clock } from '../../../core/platform/platform.js';
import { timerOn } from '../../../core/platform/timer.js';
import { serviceError } from '../../../core/errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** A client, and the workflow that it submits. */
export interface ClientServiceOptions {
  /** Makes the calls; it stays the caller's. */
  readonly client: Client;
  /** What to submit. */
  readonly stored: StoredWorkflow;
  /** Sent to the partner nodes, as `SubmitOptions.partnerKey`; default none. */
  readonly partnerKey?: true | string | undefined;
  /** Those of these jobs of the service that belong to no other job of the queue. */
  readonly unclaimed: (promptIds: readonly string[]) => Promise<readonly string[]>;
  readonly clock: Pick<Clock, 'after'>;
}

/**
 * The calls of a service for one job, made by a client.
 *
 * `submit` sends one request, in the turn in which it is called, and never a second one; where the workflow sends pictures over the socket,
 * it waits for the socket first, for half of its time. Where a submission has no id of its own,
 * its `extra_data` names it. `observe` asks by that id where it is the job's own, and else searches queue and history.
 */
export const clientService = ({
  client,
  stored: { workflow, extraData },
  partnerKey,
  unclaimed,
  clock,
}: ClientServiceOptions): JobService => {
  const { rest } = client;
  let submitted: Job | undefined;
  /** A local server sends the events of a job to the client that has submitted it. */
  const ownJob = (promptId: string): Job | undefined =>
    submitted?.promptId === promptId ? submitted : undefined;

  return {
    get submissionIds() {
      return client.submissionIds;
    },
    submit: async (submissionId, withinMs) => {
      const marked = carriesMarker(client.submissionIds)
        ? { ...extraData, [markerField]: submissionId }
        : extraData;
      // Unlike a limit of the client, this one holds for a workflow that still moves: other workers rely on it.
      const signal = abortAfter(clock, Math.ceil(withinMs));
      const options = {
        extraData: marked,
        partnerKey,
        submissionId,
        retry: false,
        timeoutMs: withinMs,
        signal,
      };
      // Pictures that come over the socket alone need one; the signal bounds this wait as well.
      if (hasSocketSavers(workflow)) await socketOpened(client, clock, withinMs / 2);
      // Without an open socket the client's own submission would wait for one, and the request would leave too late.
      const submit: Submit = isConnected(client) ? client.submit : rest.submit;
      const answer = await submit(workflow, options)();
      if (E.isLeft(answer)) return { _tag: 'error', error: lateOr(answer.left, withinMs) };
      if (isJob(answer.right)) submitted = answer.right;
      return { _tag: 'accepted', promptId: answer.right.promptId };
    },
    states: (promptId) => ownJob(promptId)?.states ?? client.follow(promptId, { workflow }),
    previews: (promptId) => {
      const { frames } = ownJob(promptId) ?? client.job(promptId);
      return frames.pipe(filter((frame) => frame._tag === 'Preview'));
    },
    observe: async (intent) => {
      const { submissionIds, submissionId, since } = intent;
      if (submissionIds === 'jobs') return observeById(rest, intent);
      const own = normalise(workflow);
      const isMarked = carriesMarker(submissionIds);
      const isMeant = (other: unknown): boolean => sameWorkflow(own, other);
      const jobs = await jobsSince({ rest, since, isMeant, isMarked, unclaimed });
      return jobs && matchCandidates(jobs, { submissionId, since, workflow: own, isMarked });
    },
  };
};

/** The calls of a service that run one job. */
export interface JobService extends SubmissionService {
  /** Follows the job, with this id of the service, to its end. */
  readonly states: (promptId: string) => Observable<JobState>;
  /** Its previews from now on. */
  readonly previews: (promptId: string) => Observable<Preview>;
}

/** A submission that did not leave whole in time can be made another time. */
const lateOr = (error: ServiceError, timeoutMs: number): ServiceError =>
  error._tag === 'Aborted'
    ? serviceError('Timeout', {
        message: `The workflow did not leave whole within ${timeoutMs} ms.`,
        timeoutMs,
        sent: false,
        endpoint: error.endpoint,
      })
    : error;

const hasSocketSavers = (workflow: Workflow): boolean =>
  socketSaversIn(workflow, Object.keys(workflow)).length > 0;

/** Opens the socket, which lasts for a while then; resolves once it is open, or after `withinMs`. */
const socketOpened = (
  { frames, connection }: Client,
  clock: Pick<Clock, 'after'>,
  withinMs: number,
): Promise<unknown> => {
  const open = connection.pipe(filter(({ _tag }) => _tag === 'open'));
  const kept = frames.pipe(
    ignoreElements(),
    catchError(() => NEVER),
  );
  return firstValueFrom(race(merge(open, kept), timerOn(clock, withinMs)), { defaultValue: undefined });
};

/** Both ways to submit give the job's id. */
type Submit = (...args: Parameters<Rest['submit']>) => TaskEither<ServiceError, Submission | Job>;

const isJob = (answer: Submission | Job): answer is Job => 'states' in answer;

/** Whether a submission leaves in the turn in which the client is asked for it. */
const isConnected = ({ connection }: Client): boolean => {
  let isOpen = false;
  // eslint-disable-next-line rxjs-x/no-ignored-error -- `connection` never errors.
  connection.pipe(take(1)).subscribe(({ _tag }) => {
    isOpen = _tag === 'open';
  });
  return isOpen;
};
