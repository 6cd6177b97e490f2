import {
  catchError,
  defer,
  filter,
  finalize,
  firstValueFrom,
  map,
  merge,
  type Observable,
  of,
  scan,
  tap,
  throwError,
} from 'rxjs';
import type { Clock } from '../../../core/platform/platform.js';
import * as E from '../../../core/protocol/either.js';
import { endedAs } from '../../../core/state/ended-as.js';
import type { GatewayPool } from '../services/gateway-pool.js';
import { serviceOfPool } from '../services/service-of-pool.js';
import type { Deletion } from '../../../client/dialects/deletion.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import { isServiceError } from '../../../core/errors/service-error.js';
import { isTerminal, type JobState } from '../../../core/state/job-state.js';
import type { PoolJob, PoolJobState } from '../../../client/pool/pool-types.js';
import type { PoolStartOptions } from '../../../client/pool/start-options.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import { timerOn } from '../../../core/platform/timer.js';
import { unknownFailure } from '../../../core/state/failure.js';
import type { Upstream, UpstreamJob, UpstreamState } from './upstream.js';
import { withoutMember } from '../../../core/state/without-member.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** How long a submission waits at most until the servers have said whether they take its job, in milliseconds. */
const answeredWithinMs = 10_000;

/**
 * Lets the servers of a pool take the gateway's jobs. A job is known by the id of its submission, on whichever server it runs.
 *
 * It waits in this process: the record has its whole submission, and its server from before that leaves, so that the next process goes on
 * with both. A job that this process no longer follows is withdrawn while no server has it.
 */
export const poolUpstream = (pool: GatewayPool, clock: Pick<Clock, 'after'>): Upstream => {
  const jobs = new Map<string, PoolJob>();
  const service = serviceOfPool(pool, clock);
  const start = (submissionId: string, workflow: Workflow, options: PoolStartOptions): PoolJob => {
    const job = pool.start(workflow, { ...options, submissionId });
    jobs.set(submissionId, job);
    const forget = (): void => {
      if (jobs.get(submissionId) === job) jobs.delete(submissionId);
    };
    job.states.pipe(finalize(forget)).subscribe({ error: () => undefined });
    return job;
  };
  const upstreamJob = (submissionId: string, job: PoolJob): UpstreamJob => ({
    promptId: submissionId,
    states: statesOf(job).pipe(tap({ unsubscribe: () => job.withdraw() })),
    frames: job.frames,
  });

  return {
    submissionIds: 'jobs',
    keepsJobs: true,
    submit: (workflow, { submissionId, extraData, partnerKey, files, placed }) => {
      if (submissionId === undefined) throw new Error('A submission of the gateway has an id.');
      const job = start(submissionId, workflow, { extraData, partnerKey, files, intend: placed });
      return async () => {
        const refusal = await refusalOf(job, clock);
        return refusal === undefined ? E.right(upstreamJob(submissionId, job)) : E.left(refusal);
      };
    },
    job: (promptId, workflow = {}, kept) => {
      const submissionId = kept?.record.submissionId ?? promptId;
      const known = jobs.get(submissionId);
      if (known !== undefined) return upstreamJob(submissionId, known);
      const job = start(submissionId, kept?.record.kept?.workflow ?? workflow, {
        extraData: kept?.record.kept?.extraData,
        files: kept?.record.kept?.files,
        intend: kept?.placed,
        resume: kept?.record.place,
      });
      return upstreamJob(submissionId, job);
    },
    cancel: (promptId) => jobs.get(promptId)?.cancel() ?? pool.cancel(promptId),
    delete: (promptId, record) => {
      const { server, promptId: there = promptId } = record?.place ?? {};
      // No server was given it, so none has anything of it.
      return server === undefined
        ? () => Promise.resolve(E.right(nothingDeleted))
        : pool.delete(there, { server });
    },
    view: (file, options, job) => service.viewOutput(file, options, job),
  };
};

const nothingDeleted: Deletion = { record: false, files: 'kept' };

/** Why no server takes a job; undefined once one has it, or it is known to wait. */
const refusalOf = (job: PoolJob, clock: Pick<Clock, 'after'>): Promise<ServiceError | undefined> =>
  firstValueFrom(
    merge(
      job.states.pipe(
        filter(({ phase }) => phase !== 'submitting'),
        map(() => undefined),
        catchError((error: unknown) =>
          isServiceError(error) && !staysOpen.has(error._tag) ? of(error) : of(undefined),
        ),
      ),
      job.isWaiting.pipe(
        filter((is) => is),
        map(() => undefined),
      ),
      timerOn(clock, answeredWithinMs).pipe(map(() => undefined)),
    ),
    { defaultValue: undefined },
  );

/** The service may have the job, or another process has it. */
const staysOpen: ReadonlySet<string> = new Set(['OutcomeUnknown', 'Closed']);

/** The states of a job without its servers, whose names are not the callers' business; what ends it is a state as well. */
const statesOf = (job: PoolJob): Observable<UpstreamState> =>
  defer(() => {
    let latest: JobState = initialJobState({ workflow: {} });
    return job.states.pipe(
      scan<PoolJobState, Followed>(next, {}),
      map(({ state }) => state),
      filter((state) => state !== undefined),
      tap((state) => (latest = state)),
      catchError((error: unknown) => {
        const end = isServiceError(error) ? endBy(error, latest) : undefined;
        return end === undefined ? throwError(() => error) : of(end);
      }),
    );
  });

interface Followed {
  readonly attempt?: number;
  readonly state?: UpstreamState;
}

const next = ({ attempt: before }: Followed, { attempt, ...shown }: PoolJobState): Followed => {
  const state = withoutMember(shown, 'server');
  const isAnew = before !== undefined && attempt > before;
  return {
    attempt,
    state: isAnew ? { ...state, isAnew, warnings: [...state.warnings, ranAgain] } : state,
  };
};

const ranAgain = 'The server of the job has lost it or lacks memory for it: it was submitted again.';

/** The last state of a job that can't be followed any more; undefined if another process may, or where no server knows it. */
const endBy = (error: ServiceError, latest: JobState): JobState | undefined => {
  if (isTerminal(latest.phase) || error._tag === 'Closed' || error._tag === 'NotFound') return undefined;
  const failure = { ...unknownFailure(error.message), exceptionType: error._tag };
  if (error._tag !== 'OutcomeUnknown') return endedAs(latest, 'failed', failure);
  const { candidates, startedAt } = error;
  return endedAs(latest, 'unknown', { ...failure, candidates, startedAt });
};
