import { answerWithin } from '../../../core/platform/answer-within.js';
import { endedAs } from '../../../core/state/ended-as.js';
import {
  catchError,
  concatMap,
  defer,
  EMPTY,
  filter,
  from,
  merge,
  mergeMap,
  repeat,
  Subscription,
} from 'rxjs';
import type { JobEntry } from '../registry/job-entry.js';
import type { JobRecord } from '../../joblog/job-index.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import { isTerminal } from '../../../core/state/job-state.js';
import { logOf } from '../upstream/upstream.js';
import { noteEnd } from './note-end.js';
import type { SubmissionContext } from './submission-context.js';
import { timerOn } from '../../../core/platform/timer.js';
import { unknownFailure } from '../../../core/state/failure.js';

/** The jobs whose events a queue supplies: every process of a gateway reads them, and none follows them. */
export interface SuppliedJobs {
  /** Resolves once the queues are open, or after five seconds: a caller waits only a second for the log. */
  readonly opened: () => Promise<void>;
  /** Puts a job in the registry, as far as the queue's log has it; rejects where the log does not answer. */
  readonly watch: (record: JobRecord) => Promise<JobEntry>;
  /** Ends a job that the queue does not have, where this process holds its lease; where the log does not answer, a later look does. */
  readonly check: (id: string) => Promise<void>;
  /** Takes progress, and what messages have missed, from now on. */
  readonly listen: () => Subscription;
}

/** Messages of a queue may be lost, so its log is read this often while jobs are open. */
const readEveryMs = 10_000;

/** How long a start waits for a queue, which is asked again with each request. */
const openWithinMs = 5_000;

/** Why a job failed whose submission got no answer. */
const neverArrived = 'The answer to the submission was lost, and the queue knows no such job.';

/** Makes the {@link SuppliedJobs} of a gateway; without a queue that supplies events it does nothing. */
export const suppliedJobs = (context: SubmissionContext): SuppliedJobs => {
  const { clock, registry, held, upstreams } = context;
  const logs = Object.values(upstreams).flatMap(({ log }) => log ?? []);
  const logOfJob = ({ record }: JobEntry) => logOf(record, upstreams[record.client]);
  const openJobs = (): readonly JobEntry[] =>
    registry.all().filter((job) => job.record.ended === undefined && logOfJob(job) !== undefined);

  const check = async (id: string): Promise<void> => {
    const job = registry.get(id);
    const log = job && logOfJob(job);
    if (job === undefined || log === undefined) return;
    const { record, state, position } = job;
    if (isTerminal(state.phase)) {
      if (record.ended === undefined) await noteEnd(context, job, state.phase);
      return;
    }
    const { gap } = await log.read({ owner: record.owner, jobId: id }, position, 1);
    // Of a job whose record is gone no worker writes the end.
    const isLost = gap || (await log.hasJob?.(record.submissionId)) === false;
    if (!isLost || !(await held.isHeld(id))) return;
    const wasAdded = position !== undefined || record.promptId !== undefined;
    registry.applyState(
      id,
      wasAdded ? endedAs(state, 'untraceable') : endedAs(state, 'failed', unknownFailure(neverArrived)),
    );
  };
  const checkAll = async (): Promise<void> => {
    for (const owner of new Set(openJobs().map(({ record }) => record.owner))) await registry.sync(owner);
    for (const { record } of openJobs()) await check(record.id);
  };

  /** The latest progress of jobs that ran before this process heard of them. */
  const asked = new Set<string>();
  const latestProgress = registry.changes.pipe(
    mergeMap(({ jobId }) => {
      const job = registry.get(jobId);
      const log = job && logOfJob(job);
      if (job === undefined || isTerminal(job.state.phase)) asked.delete(jobId);
      if (log === undefined || job?.state.phase !== 'in_progress' || asked.has(jobId)) return EMPTY;
      asked.add(jobId);
      return from(log.latestProgress(jobId)).pipe(
        filter(() => registry.get(jobId)?.progressVersion === 0),
        mergeMap((progress) => (progress === undefined ? [] : [{ jobId, progress }])),
        catchError(() => EMPTY),
      );
    }),
  );

  return {
    opened: async () => {
      const read = () => Promise.all(logs.map((log) => log.read({ owner: '' }, undefined, 1)));
      await answerWithin(clock, openWithinMs, read, undefined);
    },
    watch: (record) => registry.watch(record, initialJobState({ workflow: record.workflow })),
    check: (id) => check(id).catch(() => undefined),
    listen: () => {
      const own = new Subscription();
      if (logs.length === 0) return own;
      own.add(
        merge(latestProgress, ...logs.map(({ progress }) => progress)).subscribe({
          next: ({ jobId, progress }) => registry.setProgress(jobId, progress),
          error: () => undefined,
        }),
      );
      own.add(
        timerOn(clock, readEveryMs, { background: true })
          .pipe(
            concatMap(() => defer(checkAll).pipe(catchError(() => EMPTY))),
            repeat(),
          )
          .subscribe(),
      );
      return own;
    },
  };
};
