import { atServer } from './at-server.js';
import type { BringFiles, forgetRefusedFiles } from './bring-files.js';
import type { Client } from '../../../../client/client-types.js';
import type { Clock } from '../../../../core/platform/platform.js';
import { endJob } from '../end-job.js';
import { openJobLog } from '../job-log.js';
import { pauseUnless, WorkerStops } from '../pause-unless.js';
import type { PlacedJob, ServerStore } from '../../servers/server-store.js';
import type { ReachedServers } from './reached-servers.js';
import type { RunContext } from '../run-context.js';
import { runHeldJob } from '../run-held-job.js';
import type { ServerRules } from '../../policy/rules.js';
import type { TellThrown } from '../tell-thrown.js';
import { unknownFailure } from '../../../../core/state/failure.js';

/** The parts of a worker that run the jobs which its servers got. */
export interface PlacedJobsOptions {
  readonly servers: ServerStore;
  readonly reached: ReachedServers;
  readonly bring: BringFiles;
  readonly forgetRefused: ReturnType<typeof forgetRefusedFiles>;
  readonly rules: ServerRules;
  readonly clock: Clock;
  /** Fires when the worker stops. */
  readonly stopping: AbortSignal;
  /** Makes the context in which a job at this server runs. */
  readonly contextAt: (server: string, client: Client) => Omit<RunContext, 'signal' | 'pause' | 'atServer'>;
  /** The parts of the context that end a job which no server can run. */
  readonly ending: Pick<RunContext, 'queue' | 'worker' | 'store' | 'queueStore' | 'log' | 'logger' | 'clock'>;
  readonly tellThrown: TellThrown;
}

/** How long a worker leaves a job alone whose run threw, in milliseconds. */
const brokenMs = 1_000;

/** Makes the run of one job that a worker got for a server: to its end, or until it is left to another worker. */
export const placedJobs =
  (options: PlacedJobsOptions) =>
  async (placed: PlacedJob, lost: AbortSignal, reason?: string): Promise<void> => {
    const { stopping, ending, clock, tellThrown } = options;
    const signal = AbortSignal.any([stopping, lost]);
    const end = await runOne(options, placed, signal, reason).catch(async (cause: unknown) => {
      if (!(cause instanceof WorkerStops) && !signal.aborted)
        tellThrown(`The run of the job ${placed.id} threw, and is tried again`, cause);
      await pauseUnless(clock, signal, brokenMs).catch(() => undefined);
      return 'requeue';
    });
    // It waits again; where it has another holder by now, nothing happens.
    if (end === 'requeue') await ending.store.leave(placed, 'waiting').catch(() => undefined);
  };

const runOne = async (
  options: PlacedJobsOptions,
  placed: PlacedJob,
  signal: AbortSignal,
  reason: string | undefined,
): Promise<'done' | 'requeue'> => {
  const { servers, reached, bring, forgetRefused, rules, clock } = options;
  if (reason !== undefined) return endImpossible(options, placed, reason);
  const client = reached.client(placed.server);
  if (client === undefined || signal.aborted) return 'requeue';
  return runHeldJob(placed, {
    ...options.contextAt(placed.server, client),
    atServer: atServer({ placed, client, servers, reached, bring, forgetRefused, rules, clock }),
    signal,
    pause: (ms) => pauseUnless(clock, signal, ms),
  });
};

/** Ends a job that no server can run. */
const endImpossible = async (
  { ending: context }: PlacedJobsOptions,
  held: PlacedJob,
  reason: string,
): Promise<'done' | 'requeue'> => {
  const { log, queueStore: store, clock } = context;
  const { tenant, reruns = 0 } = held.job;
  const own = await openJobLog({ job: held, tenant, log, store, clock, place: { attempt: reruns + 1 } });
  try {
    const failure = { ...unknownFailure(reason), exceptionType: 'InvalidWorkflow' };
    return await endJob({ held, context, own }, 'failed', failure);
  } finally {
    own.close();
  }
};
