import {
  type Emulator,
  type EmulatorOptions,
  type LedgerJob,
  startEmulator,
  textToImageWorkflow,
} from '../../../src/emulator.js';
import { createJobQueue, type JobQueue, type QueueJob } from '../../../src/queue.js';
import { findProgram } from '../../helpers/find-program.js';
import { isServiceError } from '../../../src/index.js';
import { otherWarnings } from './other-warnings.js';
import type { PlannedServer, QueueProcessPlan } from './kill-points.js';
import { type RedisServer, startRedis } from '../../helpers/redis-server.js';
import { setTimeout as wait } from 'node:timers/promises';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

/** A queue on a Redis server of its own, and the service that its workers call, or the servers that they bring. */
export interface QueueWorld extends AsyncDisposable {
  readonly server: RedisServer;
  readonly emulator: Emulator;
  /** The servers of a queue over servers; else none. */
  readonly engines: readonly Engine[];
  readonly queue: JobQueue;
  /** What every process of the queue is given. */
  readonly plan: QueueProcessPlan;
  /** Adds a job that takes so many steps, and gives its id. */
  readonly add: (steps?: number, tenant?: string) => Promise<string>;
  /** The jobs of the service, or of all servers, by their own ledgers in the order of their acceptance. */
  readonly ledger: () => readonly LedgerJob[];
  /** The ids of the jobs that were added, by their marks in the ledger of the service. */
  readonly added: ReadonlyMap<string, string>;
  readonly list: () => Promise<readonly QueueJob[]>;
  /** Waits until no job waits and none is held; false where that takes longer. */
  readonly settled: (withinMs: number) => Promise<boolean>;
}

/** A server of a queue, as its plan names it. */
export interface Engine extends PlannedServer {
  readonly emulator: Emulator;
}

/** So many servers share the slots of a queue over servers. */
const servers = 3;

/** Opens a world with so many slots, of an account or of three servers together, in which each job makes a small picture, or runs a workflow of its own. */
export const openWorld = async (
  tier: number,
  options: EmulatorOptions,
  workflowOf: (seed: number, steps: number) => Workflow = smallPicture,
  over?: 'servers',
): Promise<QueueWorld> => {
  const program = findProgram('redis-server');
  if (program === undefined) throw new Error('redis-server is not installed');
  const server = await startRedis(program);
  const engines = over === undefined ? [] : await openEngines(tier, options);
  const emulator = engines[0]?.emulator ?? (await startEmulator(options));
  const emulators = engines.length === 0 ? [emulator] : engines.map((engine) => engine.emulator);
  const { baseUrl, wsUrl, apiKey } = emulator;
  const planned = engines.map(({ name, slots, ...engine }) => ({ name, slots, baseUrl: engine.baseUrl }));
  const redis = `redis://127.0.0.1:${server.port}`;
  const bound = over === undefined ? { tier } : { over };
  const queue = createJobQueue({ connection: redis, name: 'world', ...bound, onWarning: otherWarnings });
  const added = new Map<string, string>();
  return {
    server,
    emulator,
    engines,
    ledger: () =>
      emulators.flatMap((one) => one.ledger.jobs).toSorted((one, other) => one.createdAt - other.createdAt),
    queue,
    plan: {
      ...{ redis, name: 'world', baseUrl, wsUrl, apiKey, tier },
      ...{ dialect: options.dialect ?? 'cloud', ...(over !== undefined && { servers: planned }) },
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
      await Promise.all(emulators.map((one) => one.close()));
      await server[Symbol.asyncDispose]();
    },
  };
};

/** Whether the server took nothing of a call, and said so. */
export const isRefused = (error: unknown): boolean =>
  isServiceError(error) && error._tag === 'Network' && !error.sent;

const smallPicture = (seed: number, steps: number): Workflow =>
  textToImageWorkflow({ seed, steps, width: 64, height: 64 });

/** Servers that have so many slots together. */
const openEngines = (slots: number, options: EmulatorOptions): Promise<readonly Engine[]> =>
  Promise.all(
    Array.from({ length: servers }, async (_, index) => {
      const own = Math.floor((slots + servers - 1 - index) / servers);
      const emulator = await startEmulator({ ...options, concurrency: own });
      return { name: `engine-${index}`, baseUrl: emulator.baseUrl, slots: own, emulator };
    }),
  );

/** The mark that a job of the service was given. */
export const markOf = ({ extraData }: Pick<LedgerJob, 'extraData'>): string => {
  const { mark } = (extraData['extra_pnginfo'] ?? {}) as { readonly mark?: unknown };
  return String(mark);
};

/** How many jobs of the service, or of all servers, each mark has. */
export const paidRuns = ({ ledger }: Pick<QueueWorld, 'ledger'>): ReadonlyMap<string, number> => {
  const runs = new Map<string, number>();
  for (const job of ledger()) runs.set(markOf(job), (runs.get(markOf(job)) ?? 0) + 1);
  return runs;
};
