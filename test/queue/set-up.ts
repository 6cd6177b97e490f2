import { createJobQueue } from '../../src/server/queue/jobs/create-job-queue.js';
import { createWorker } from '../../src/server/queue/worker/create-worker.js';
import { emulated } from '../helpers/emulated.js';
import type { EmulatorOptions } from '../../src/emulator.js';
import { filter } from 'rxjs';
import type { JobPhase } from '../../src/core/state/job-state.js';
import { onTestFinished } from 'vitest';
import type { JobQueueOptions, QueueWorkerOptions } from '../../src/server/queue/options.js';
import type { RedisServer } from '../helpers/redis-server.js';

let names = 0;

/** A queue on the server, workers for it, and the service that they call. */
export const setUp = async (server: RedisServer, options: EmulatorOptions = {}) => {
  const { emulator, newClient } = await emulated(options, { dialect: options.dialect });
  const common = {
    connection: `redis://127.0.0.1:${server.port}`,
    name: `q${(names += 1)}`,
    onWarning: (message: string) => {
      throw new Error(message);
    },
  };
  const open = (more: Partial<JobQueueOptions> = {}) => {
    const queue = createJobQueue({ ...common, ...more });
    onTestFinished(() => queue.close());
    return queue;
  };
  const work = async (more: Partial<QueueWorkerOptions> = {}) => {
    const worker = createWorker({ ...common, client: newClient(), tier: 'creator', ...more });
    onTestFinished(() => worker.close());
    await worker.ready;
    return worker;
  };
  return { emulator, newClient, common, queue: open(), open, work };
};

export const reached = (phase: JobPhase) =>
  filter((state: { readonly phase: JobPhase }) => state.phase === phase);
