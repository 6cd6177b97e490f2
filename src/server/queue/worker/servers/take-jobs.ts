import type { QueueSnapshot, WaitingForServer } from '../../servers/queue-snapshot.js';
import type { PlacedJob } from '../../servers/server-store.js';
import { placeJobs, slotsOfServer } from '../../servers/place-jobs.js';
import type { ServersRunnerOptions } from './servers-runner.js';
import { workAsked } from '../../servers/asked-work.js';
import type { Workflow } from '../../../../core/protocol/workflow.js';

/** The parts of a worker that take jobs, and its room at this moment. */
export interface TakeJobsOptions extends Pick<
  ServersRunnerOptions,
  'worker' | 'lockMs' | 'store' | 'servers' | 'reached' | 'placement' | 'times' | 'tellThrown'
> {
  readonly hasRoom: () => boolean;
  /** Whether jobs that no server can run are ended. */
  readonly refuses: boolean;
  /** Runs a job that was taken; `reason` says why no server can run it. */
  readonly start: (job: PlacedJob, reason?: string) => void;
}

/**
 * Takes what this worker is to run by a snapshot of the queue: jobs that its servers may have, then those that the choice gives to its servers. Gives
 * how many of the latter there were.
 */
export const takeJobs = async (snapshot: QueueSnapshot, options: TakeJobsOptions): Promise<number> => {
  await takeOpen(snapshot, options);
  const { given, refused, unknown, broken } = placeJobs(snapshot, options);
  for (const [{ id }, cause] of broken)
    options.tellThrown(`The placement threw for the job ${id}, which waits`, cause);
  for (const [job, server] of unknown)
    options.reached.learn(server, job.asked, () => workflowOf(options, job.id));
  let own = 0;
  for (const one of given) if (await place(snapshot, one, options)) own += 1;
  if (options.refuses) for (const [{ id }, reason] of refused) await refuse(id, reason, options);
  return own;
};

const takeOpen = async (snapshot: QueueSnapshot, options: TakeJobsOptions): Promise<void> => {
  const { worker, lockMs, servers, reached, hasRoom, start } = options;
  const names = [...snapshot.servers.values()]
    .filter(({ open, reports }) => open > 0 && reports.get(worker)?.isUp === true)
    .map(({ name }) => name)
    .filter((name) => reached.client(name) !== undefined);
  while (names.length > 0 && hasRoom()) {
    const job = await servers.takeOpen(names, worker, lockMs);
    if (job === undefined) return;
    start(job);
  }
};

/** Takes a job for a server of this worker; false if the server is another one's, or the worker has no room. */
const place = async (
  snapshot: QueueSnapshot,
  [job, server]: readonly [WaitingForServer, string],
  { worker, lockMs, servers, reached, times, hasRoom, start }: TakeJobsOptions,
): Promise<boolean> => {
  const known = snapshot.servers.get(server);
  const isOwn = known?.reports.get(worker)?.takes === true && reached.client(server) !== undefined;
  if (known === undefined || !isOwn || !hasRoom()) return false;
  const work = workAsked(job.asked);
  const expectedMs = times.runMs(server, work) + times.loadMs(server, work, known.models);
  const call = { id: job.id, server, slots: slotsOfServer(known), expectedMs, models: work.models };
  const placed = await servers.place(call, worker, lockMs);
  if (placed !== undefined) start(placed);
  return true;
};

const refuse = async (
  id: string,
  reason: string,
  { worker, lockMs, servers, start }: TakeJobsOptions,
): Promise<void> => {
  const nowhere = { id, server: '', slots: 0, expectedMs: 0, models: [] };
  const job = await servers.place(nowhere, worker, lockMs);
  if (job !== undefined) start(job, reason);
};

const workflowOf = async (
  { store }: Pick<TakeJobsOptions, 'store'>,
  id: string,
): Promise<Workflow | undefined> => {
  const stored = await store.workflow(id);
  return stored === 'unreadable' ? undefined : stored?.workflow;
};
