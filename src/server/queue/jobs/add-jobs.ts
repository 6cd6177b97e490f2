import { askedWorkOf } from '../servers/asked-work.js';
import { checkAdd } from './check-add.js';
import { ephemeralWorkflow } from '../../../workflow/edit/ephemeral-workflow.js';
import { inSlices } from '../../../core/platform/in-slices.js';
import { inputFilesIn, withInputFiles } from '../servers/input-file.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import type { NewQueueJob } from './job-queue.js';
import type { OpenQueue } from './open-queue.js';
import { placedError } from '../store/placed-error.js';
import { publish } from '../telemetry/channels.js';
import type { QueueKind } from '../store/queue-kind.js';
import { realClock } from '../../../core/platform/clock.js';
import { roundedInApi } from '../../../core/protocol/rounded-integers.js';
import { serviceError } from '../../../core/errors/service-error.js';
import type { NewJob } from '../store/job-store.js';
import type { Steps } from '../../../core/protocol/steps.js';
import { uuid } from '../../../core/platform/uuid.js';

/** The most jobs of one call: Redis answers no other client while it adds them. */
const maxJobs = 10_000;

/**
 * Adds jobs, all or none, each with the first event of its log and a slot token to run it; gives the ids of the jobs that have them, which a
 * key may have had before.
 *
 * Once the store has the jobs they run, so that one round trip is all that a caller waits for, and nothing after it rejects. The slot tokens follow
 * at once; one that could not be added comes from a worker's maintenance of the queue.
 */
export const addJobs = async (
  { store, slotTokens, logger, kind }: Pick<OpenQueue, 'store' | 'slotTokens' | 'logger' | 'kind'>,
  queue: string,
  given: readonly NewQueueJob[],
): Promise<readonly string[]> => {
  const startedAt = realClock.wall();
  const jobs = await inSlices(newJobs(given, startedAt, kind), realClock);
  if (jobs.length === 0) return [];
  const known = await store.addAll(jobs);
  if (known === undefined) {
    const message = 'The queue drains, and takes no more jobs.';
    throw serviceError('Draining', { message, hint: 'Resume the queue, or use another one.' });
  }
  const added = jobs.filter(({ id }, index) => known[index] === id);
  void slotTokens.addAll(added.map(({ id, delayMs }) => ({ id, delayMs }))).catch(() => undefined);
  for (const [index, { tenant = '' }] of jobs.entries()) {
    const about = { queue, jobId: known[index] ?? '', tenant, startedAt };
    publish('promptwire:queue:add', () => ({ ...about, endedAt: realClock.wall() }), logger);
  }
  return known;
};

/** Checks all jobs, then makes them, in steps of one job each: that of a large workflow takes long, as thousands of small ones do. */
function* newJobs(given: readonly NewQueueJob[], at: number, kind: QueueKind): Steps<readonly NewJob[]> {
  if (given.length > maxJobs) {
    const message = `One call adds at most ${maxJobs} jobs, and this one has ${given.length}.`;
    throw serviceError('InvalidConfig', { option: 'jobs', message, hint: 'Add them by several calls.' });
  }
  for (const [index, { workflow, ...options }] of given.entries()) {
    try {
      checkAdd(workflow, options, kind);
    } catch (error) {
      throw placedError(error, index, given.length);
    }
    yield;
  }
  const jobs: NewJob[] = [];
  for (const job of given) {
    jobs.push(newJob(job, at, kind));
    yield;
  }
  return jobs;
}

const newJob = (
  { id = uuid(), delayMs = 0, workflow: given, tags, ...more }: NewQueueJob,
  at: number,
  kind: QueueKind,
): NewJob => {
  const { workflow, problems: staying } =
    more.ephemeral === true ? ephemeralWorkflow(given) : { workflow: given, problems: [] };
  const named = kind === 'servers' ? inputFilesIn(workflow) : [];
  // Every server can get the input files.
  const general = () => withInputFiles(workflow, new Map(named.map(({ name }) => [name, ''])));
  const work = kind === 'servers' ? JSON.stringify(askedWorkOf(general(), tags)) : undefined;
  const problems = [...roundedInApi(workflow), ...staying];
  const state = initialJobState({ workflow, ...(problems.length > 0 && { problems }) });
  const events = [{ type: 'submitted', at, state }] as const;
  const files = named.map(({ hash }) => hash);
  return { ...more, id, workflow, work, files, events, ...(delayMs > 0 && { delayMs }) };
};
