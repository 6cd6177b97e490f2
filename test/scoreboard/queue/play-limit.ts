import { inParallel } from '../../helpers/in-parallel.js';
import { judgeQueue } from './judge-queue.js';
import { maxAtOnce } from './max-at-once.js';
import { openSpares, type QueueProcess } from './queue-process.js';
import { openWorld, type QueueWorld } from './queue-world.js';
import type { Random } from '../../simulation/random.js';
import { shortSound } from './short-sound.js';
import { setTimeout as wait } from 'node:timers/promises';

/** What the service and its slots saw of many jobs, while workers were killed and suspended. */
export interface LimitedQueue {
  readonly kills: number;
  readonly pauses: number;
  readonly unknown: number;
  /** The most jobs that the service had at once. */
  readonly most: number;
  /** The part of the time for which a slot had a job and a worker, of that while jobs waited. */
  readonly busy: number;
  readonly problems: readonly string[];
}

const [slots, processes, lockMs] = [40, 8, 1_000];
/** A request of a dead process may wait that long for a service that shares two processors with all the others. */
const rules = { deadlineMs: 3_000, lagMs: 100, lookEveryMs: 200 };
/** Something happens to a process each time that so many jobs have ended. */
const jobsPerTrouble = 250;
const settlesWithinMs = 480_000;

/** Has eight processes run so many jobs, and kills or suspends one of them from time to time. */
export const playLimit = async (count: number, random: Random): Promise<LimitedQueue> => {
  await using world = await openWorld(slots, { concurrency: 'unlimited', speed: 0.75 }, shortSound);
  await using spares = openSpares(1);
  const plan = { ...world.plan, lockMs, rules };
  const absent = new Map<string, number>();
  const start = async (): Promise<Worker> => {
    const process = await spares.start(plan);
    return { process, id: await process.ready };
  };
  const workers = await Promise.all(Array.from({ length: processes }, start));
  const watched = watchSlots(world, absent);
  const adding = inParallel(Array.from({ length: count }), 20, () => world.add(1));

  const problems: string[] = [];
  let [kills, pauses] = [0, 0];
  const until = performance.now() + settlesWithinMs;
  for (let ended = jobsPerTrouble; ended < count; ended += jobsPerTrouble) {
    while ((await world.queue.stats()).ended < ended && performance.now() < until) await wait(20);
    const place = random.below(workers.length);
    const { process, id } = workers[place]!;
    absent.set(id, performance.now());
    if (random.chance(0.5)) {
      kills += 1;
      process.kill('SIGKILL');
      workers[place] = await start();
    } else {
      pauses += 1;
      process.kill('SIGSTOP');
      await wait(2 * lockMs);
      process.kill('SIGCONT');
      absent.delete(id);
    }
  }
  await adding;
  if (!(await world.settled(Math.max(0, until - performance.now()))))
    problems.push(`not settled: ${JSON.stringify(await world.queue.stats())}`);
  const busy = await watched.end();
  problems.push(...(await judgeQueue(world)));
  for (const { process } of workers) process.kill('SIGTERM');
  for (const { end, said } of await Promise.all(workers.map(({ process }) => process.ended)))
    if (end !== 0) problems.push(`a worker ended with ${end}: ${said.slice(0, 300)}`);
  const unknown = (await world.queue.stats()).unknown;
  return { kills, pauses, unknown, most: maxAtOnce(world.emulator.ledger.jobs), busy, problems };
};

interface Worker {
  readonly process: QueueProcess;
  readonly id: string;
}

/**
 * MatchInput at the slots until it is ended, and then gives the part of the time for which they were in use while jobs waited. The slot of
 * a worker that is absent since some moment does not count until its lock is over, and is idle from then on.
 */
const watchSlots = (
  { server, queue, plan: { name } }: QueueWorld,
  absent: ReadonlyMap<string, number>,
): { readonly end: () => Promise<number> } => {
  const redis = server.connect();
  const prefix = `{promptwire:${name}}:`;
  let [busyMs, idleMs, isOver, before] = [0, 0, false, performance.now()];
  const look = async (): Promise<void> => {
    while (!isOver) {
      await wait(20);
      const { waiting } = await queue.stats();
      const jobs = await redis.hvals(`${prefix}turns`);
      const holders = await Promise.all(jobs.map((id) => redis.hget(`${prefix}job:${id}`, 'worker')));
      const now = performance.now();
      const spentMs = now - before;
      before = now;
      if (waiting < slots) continue;
      let busy = 0;
      let unclear = 0;
      for (const worker of holders) {
        const since = absent.get(worker ?? '');
        if (since === undefined) busy += 1;
        else if (now < since + lockMs) unclear += 1;
      }
      busyMs += busy * spentMs;
      idleMs += Math.max(0, slots - busy - unclear) * spentMs;
    }
  };
  const looking = look();
  return {
    end: async () => {
      isOver = true;
      await looking;
      redis.disconnect();
      return busyMs / (busyMs + idleMs);
    },
  };
};
