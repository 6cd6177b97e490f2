import { bringFiles, forgetRefusedFiles } from './bring-files.js';
import { earliestEnd } from '../../../../client/pool/placement.js';
import type { JobRunner, JobRunnerOptions } from '../job-runner.js';
import { placedJobs } from './run-placed-job.js';
import { reachedServers } from './reached-servers.js';
import { runOverServers } from './run-over-servers.js';
import { runTimes } from '../../../../client/pool/run-times.js';
import { serverStore } from '../../servers/server-store.js';
import { serviceError } from '../../../../core/errors/service-error.js';

/** Runs the jobs of a queue on the servers of a worker's pool. */
export const workOverServers = ({
  options,
  queue,
  worker,
  stopping,
  lockMs,
  contextOf,
  tellThrown,
}: JobRunnerOptions): JobRunner => {
  const { pool, rules = {}, placement = earliestEnd, concurrency, name } = options;
  if (pool === undefined)
    throw serviceError('InvalidConfig', { option: 'pool', message: 'A worker has no pool.' });
  const { redis, time, mended, store, queueStore, files, log, logger, notifications, clock } = queue;
  const servers = mended(serverStore({ redis, name, time }));
  const times = runTimes();
  const reached = reachedServers({ pool, clock, rules, speedOf: times.speedOf });
  const run = placedJobs({
    ...{ servers, reached, rules, clock, stopping, tellThrown },
    ...{ bring: bringFiles(files), forgetRefused: forgetRefusedFiles(files) },
    contextAt: (server, client) => contextOf(client, (message) => servers.setMode(server, 'paused', message)),
    ending: { queue: name, worker, store, queueStore, log, logger, clock },
  });
  const runner = runOverServers({
    ...{
      worker,
      lockMs,
      concurrency,
      store,
      servers,
      reached,
      notifications,
      rules,
      placement,
      times,
      clock,
      run,
      tellThrown,
    },
  });
  return {
    running: runner.running,
    close: async () => {
      await runner.close();
      reached.close();
    },
    clientOf: ({ server = '' }) => reached.client(server),
    clients: reached.clients,
  };
};
