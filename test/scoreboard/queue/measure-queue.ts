import { createJobQueue, createWorker, type JobQueue } from '../../../src/queue.js';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { emptyClient } from './empty-client.js';
import { findProgram } from '../../helpers/find-program.js';
import { inParallel } from '../../helpers/in-parallel.js';
import { measureWindow } from './measure-window.js';
import { plainQueue } from './plain-bullmq.js';
import { type RedisServer, startRedis } from '../../helpers/redis-server.js';
import { textToImageWorkflow } from '../../../src/emulator.js';

/** What {@link measureQueue} measures. */
export interface QueueMeasures {
  /** How fast ours adds, in shares of plain BullMQ's rate: one for each round. */
  readonly adding: readonly number[];
  /** How fast ours runs empty jobs, likewise. */
  readonly running: readonly number[];
  /** What adding a job costs while so many wait, in shares of what it costs in an empty queue: one for each turn. */
  readonly addingFull: readonly number[];
  /** What running a job costs, likewise. */
  readonly runningFull: readonly number[];
  /** How long after the store's check a submission left, in milliseconds: one for each of some jobs. */
  readonly windowMs: readonly number[];
}

/** How many calls are under way at once, and how many jobs run at once. */
const [atOnce, slots] = [64, 10];
const turns = 5;
/** So many submissions are watched. */
const mostWatched = 200;
const workflow = textToImageWorkflow({ seed: 1, steps: 2, width: 64, height: 64 });

/** Measures so many rounds of so many jobs, in turns with plain BullMQ, and then what a job costs in a queue in which so many wait. */
export const measureQueue = async (rounds: number, jobs: number, waiting: number): Promise<QueueMeasures> => {
  const program = findProgram('redis-server');
  if (program === undefined) throw new Error('redis-server is not installed');
  await using server = await startRedis(program);
  const adding: number[] = [];
  const running: number[] = [];
  // The first round brings code and connections.
  for (let round = 0; round <= rounds; round += 1) {
    const ways = [playOurs, playPlain];
    const speeds = new Map<typeof playOurs, Speeds>();
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
      speeds.set(way, await way(server, `round-${round}`, jobs));
    }
    const [ours, plain] = [speeds.get(playOurs)!, speeds.get(playPlain)!];
    if (round === 0) continue;
    adding.push(plain.addingMs / ours.addingMs);
    running.push(plain.runningMs / ours.runningMs);
  }
  const windowMs = await measureWindow(server, Math.min(jobs, mostWatched));
  return { adding, running, windowMs, ...(await measureFull(server, jobs, waiting)) };
};

interface Speeds {
  readonly addingMs: number;
  readonly runningMs: number;
}

const playOurs = async (server: RedisServer, name: string, jobs: number): Promise<Speeds> => {
  await using queue = openQueue(server, name);
  await queue.stats();
  const addingMs = await timed(() => addJobs(queue, jobs));
  return { addingMs, runningMs: await timed(() => runJobs(server, name, jobs)) };
};

const playPlain = async (server: RedisServer, name: string, jobs: number): Promise<Speeds> => {
  await using queue = plainQueue(server.connect(), name);
  const addingMs = await timed(() =>
    inParallel(Array.from({ length: jobs }), atOnce, () => queue.add(workflow)),
  );
  return { addingMs, runningMs: await timed(() => queue.work(server.connect(), slots, jobs)) };
};

/** A job more, in a queue in which so many wait and in an empty one, in turns. */
const measureFull = async (
  server: RedisServer,
  jobs: number,
  waiting: number,
): Promise<Pick<QueueMeasures, 'addingFull' | 'runningFull'>> => {
  await using full = openQueue(server, 'full');
  await addJobs(full, waiting);
  const addingFull: number[] = [];
  const runningFull: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    await using empty = openQueue(server, `empty-${turn}`);
    await empty.stats();
    const [addingMs, emptyAddingMs] = [
      await timed(() => addJobs(full, jobs)),
      await timed(() => addJobs(empty, jobs)),
    ];
    addingFull.push(addingMs / emptyAddingMs);
    const runningMs = await timed(() => runJobs(server, 'full', jobs));
    runningFull.push(runningMs / (await timed(() => runJobs(server, `empty-${turn}`, jobs))));
  }
  return { addingFull, runningFull };
};

const openQueue = ({ port }: RedisServer, name: string): JobQueue =>
  createJobQueue({ connection: `redis://127.0.0.1:${port}`, name, tier: slots });

const addJobs = (queue: JobQueue, jobs: number): Promise<unknown> =>
  inParallel(Array.from({ length: jobs }), atOnce, () => queue.add(workflow));

/** Runs so many jobs of a queue by one worker. */
const runJobs = async ({ port }: RedisServer, name: string, jobs: number): Promise<void> => {
  let ended = 0;
  let resolve = (): void => undefined;
  const all = new Promise<void>((done) => {
    resolve = done;
  });
  const count = (): void => {
    ended += 1;
    if (ended === jobs) resolve();
  };
  subscribe('promptwire:queue:run', count);
  const client = emptyClient();
  const worker = createWorker({ connection: `redis://127.0.0.1:${port}`, name, client });
  await all;
  unsubscribe('promptwire:queue:run', count);
  await worker.close();
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const before = performance.now();
  await work();
  return performance.now() - before;
};
