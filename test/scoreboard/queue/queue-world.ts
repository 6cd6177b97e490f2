import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
  textToImageWorkflow,
} from '../../../src/emulator.js';
import { createJobQueue, type JobQueue, type QueueJob } from '../../../src/queue.js';
import { findProgram } from '../../helpers/find-program.js';
import { isServiceError } from '../../../src/index.js';
import { otherWarnings } from './other-warnings.js';
import type { QueueProcessPlan } from './kill-points.js';
import { type RedisServer, startRedis } from '../../helpers/redis-server.js';
import { setTimeout as wait } from 'node:timers/promises';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

/** A queue on a Redis server of its own, and the service that its workers call. */
export interface QueueWorld extends AsyncDisposable {
  readonly server: RedisServer;
  readonly emulator: Emulator;
  readonly queue: JobQueue;
  /** What every process of the queue is given. */
  readonly plan: QueueProcessPlan;
  /** Adds a job that takes so many steps, and gives its id. */
  readonly add: (steps?: number, tenant?: string) => Promise<string>;
  /** The ids of the jobs that were added, by their marks in the ledger of the service. */
  readonly added: ReadonlyMap<string, string>;
  readonly list: () => Promise<readonly QueueJob[]>;
  /** Waits until no job waits and none is held; false where that takes longer. */
  readonly settled: (withinMs: number) => Promise<boolean>;
}

/** Opens a world with so many slots, of an account or of a server, in which each job makes a small picture, or runs a workflow of its own. */
export const openWorld = async (
  tier: number,
  options: EmulatorOptions,
  workflowOf: (seed: number, steps: number) => Workflow = smallPicture,
  over?: 'servers',
): Promise<QueueWorld> => {
  const program = findProgram('redis-server');
  if (program === undefined) throw new Error('redis-server is not installed');
  const server = await startRedis(program);
  const emulator = await startEmulator(options);
  const { baseUrl, wsUrl, apiKey } = emulator;
  const redis = `redis://127.0.0.1:${server.port}`;
  const bound = over === undefined ? { tier } : { over };
  const queue = createJobQueue({ connection: redis, name: 'world', ...bound, onWarning: otherWarnings });
  const added = new Map<string, string>();
  return {
    server,
    emulator,
    queue,
    plan: {
      ...{ redis, name: 'world', baseUrl, wsUrl, apiKey, tier },
      ...{ dialect: options.dialect ?? 'cloud', ...(over !== undefined && { over }) },
    },
    added,
    add: async (steps = 2, tenant = '') => {
      const mark = `mark-${added.size}`;
      added.set(mark, '');
      const adding = queue.add(workflowOf(added.size, steps), {
        tenant,
        extraData: { extra_pnginfo: { mark } },
      });
      const id = await adding.catch((error: unknown) => {
        if (isRefused(error)) added.delete(mark);
        throw error;
      });
      added.set(mark, id);
      return id;
    },
    list: async () => {
      const jobs: QueueJob[] = [];
      for await (const job of queue.list()) jobs.push(job);
      return jobs;
    },
    settled: async (withinMs) => {
      const until = performance.now() + withinMs;
      while (performance.now() < until) {
        const { waiting, delayed, held } = await queue.stats();
        if (waiting + delayed + held === 0) return true;
        await wait(50);
      }
      return false;
    },
    [Symbol.asyncDispose]: async () => {
      await queue.close();
      await emulator.close();
      await server[Symbol.asyncDispose]();
    },
  };
};

/** Whether the server took nothing of a call, and said so. */
export const isRefused = (error: unknown): boolean =>
  isServiceError(error) && error._tag === 'Network' && !error.sent;

const smallPicture = (seed: number, steps: number): Workflow =>
  textToImageWorkflow({ seed, steps, width: 64, height: 64 });

/** How many jobs of the service each mark has. */
export const paidRuns = ({ ledger }: Emulator): ReadonlyMap<string, number> => {
  const runs = new Map<string, number>();
  for (const { extraData } of ledger.jobs) {
    const { mark } = (extraData['extra_pnginfo'] ?? {}) as { readonly mark?: unknown };
    runs.set(String(mark), (runs.get(String(mark)) ?? 0) + 1);
  }
  return runs;
};
