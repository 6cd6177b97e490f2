import { applyJobEvent } from '../../../core/events/apply-job-event.js';
import type { EventLog } from '../../gateway/ports/event-log.js';
import { changesBetween } from '../../../core/events/changes-between.js';
import type { Clock } from '../../../core/platform/platform.js';
import type { HeldJob } from './submission-ports.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import type { LifecycleEvent } from '../../../core/events/job-event.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { JobState } from '../../../core/state/job-state.js';
import { joinStates } from '../../gateway/jobs/join-states.js';
import type { KeptEvents, QueueStore } from '../store/redis-queue-store.js';

/** The log of a job as the worker that holds it writes it. */
export interface JobLog {
  /** What the log says of the job by now. */
  readonly state: () => JobState;
  /** Writes what is new in a state, and resolves once it is durable; false where another worker holds the job. */
  readonly move: (next: JobState) => Promise<boolean>;
}

/** What {@link openJobLog} takes. */
export interface JobLogOptions {
  readonly job: Pick<HeldJob, 'id' | 'fence'>;
  readonly tenant: string;
  readonly log: Pick<EventLog, 'read'>;
  readonly store: Pick<QueueStore, 'append' | 'progress'>;
  readonly clock: Pick<Clock, 'now' | 'wall'>;
}

/** Said of a job whose log has no room for all of its outputs. */
const isIncomplete =
  'The log of this job has no room for all that it said, within maxLogBytes of its worker: outputs are left out, which its record at the service has.';

/** A page of a log. */
const pageSize = 500;
/** The latest progress is published at most this often, in milliseconds. */
const progressEveryMs = 250;

/** Reads what the log says of a job: the state that its events lead to, and none where there is no event. */
export const readJobLog = async (
  log: Pick<EventLog, 'read'>,
  tenant: string,
  jobId: string,
): Promise<JobState | undefined> => {
  let state: JobState | undefined;
  let after: string | undefined;
  for (;;) {
    const { events } = await log.read({ owner: tenant, jobId }, after, pageSize);
    for (const { event } of events) state = applyJobEvent(state ?? initialJobState({ workflow: {} }), event);
    if (events.length < pageSize) return state;
    after = events.at(-1)?.id;
  }
};

/** Opens the log of a job that this worker holds. */
export const openJobLog = async ({ job, tenant, log, store, clock }: JobLogOptions): Promise<JobLog> => {
  let logged = (await readJobLog(log, tenant, job.id)) ?? initialJobState({ workflow: {} });
  // A person has decided on a job that was unknown: it begins anew.
  let state = logged.phase === 'unknown' ? initialJobState({ workflow: {} }) : logged;
  let progressAt = -Infinity;
  const append = async (events: readonly LifecycleEvent[], final: boolean): Promise<KeptEvents> =>
    events.length === 0 ? 'all' : store.append(job, tenant, events, final);
  return {
    state: () => state,
    move: async (next) => {
      let joined = joinStates(state, next);
      // Outputs go first, so that the status after them can say what was left out.
      const outputs = changesBetween(logged, joined, clock.wall()).filter((one) => one.type === 'output');
      const kept = await append(outputs, false);
      if (kept === 'none') return false;
      if (kept === 'some') joined = { ...joined, warnings: [...new Set([...joined.warnings, isIncomplete])] };
      const rest = changesBetween({ ...logged, outputs: joined.outputs }, joined, clock.wall());
      state = logged = joined;
      const status = rest.filter((one) => one.type === 'status');
      if ((await append(status, isTerminal(joined.phase))) === 'none') return false;
      const { progress } = rest.find((one) => one.type === 'progress') ?? {};
      if (progress !== undefined && clock.now() - progressAt >= progressEveryMs) {
        progressAt = clock.now();
        await store.progress(job, progress);
      }
      return true;
    },
  };
};
