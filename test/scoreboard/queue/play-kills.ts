import { type KillPoint, killPoints } from './kill-points.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { judgeQueue } from './judge-queue.js';
import { openWorld } from './queue-world.js';
import { type QueueProcess, startQueueProcess } from './queue-process.js';
import { inParallel } from '../../helpers/in-parallel.js';
import { join } from 'node:path';
import type { Random } from '../../simulation/random.js';
import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** What a queue came to whose processes were killed. */
export interface KilledQueue {
  readonly kills: number;
  /** How many of them were at each point. */
  readonly points: Readonly<Record<string, number>>;
  readonly jobs: number;
  readonly unknown: number;
  readonly problems: readonly string[];
}

const slots = 6;
const processes = 3;
/** How long a process may take to come to its point; then it is killed where it is. */
const reachesWithinMs = 3_000;
const rules = { deadlineMs: 1_000, lagMs: 100, lookEveryMs: 100 };
/** So many jobs wait at any time. */
const waiting = 12;

/** Kills processes of one queue, one after another, while three of them work; then lets the rest be done. */
export const playKills = async (
  dialect: 'cloud' | 'local' | 'v2',
  count: number,
  random: Random,
): Promise<KilledQueue> => {
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-d1-'));
  await using world = await openWorld(slots, {
    dialect,
    speed: 40,
    concurrency: slots,
    switches: { v1Routes: true },
  });
  const plan = { ...world.plan, lockMs: 500, rules, folder };
  const points: Record<string, number> = {};
  const problems: string[] = [];
  const live = new Set<QueueProcess>();

  const kill = async (point: KillPoint): Promise<void> => {
    const nth = random.between(1, 2);
    const running = await startQueueProcess({ ...plan, kill: { point, nth } });
    live.add(running);
    const soon =
      point === 'at any moment' ? running.ready.then(() => wait(random.below(400))) : wait(reachesWithinMs);
    const reached = await Promise.race([running.ended.then(() => true), soon.then(() => false)]);
    running.kill('SIGKILL');
    const { end, said } = await running.ended;
    live.delete(running);
    if (end !== 'SIGKILL') problems.push(`a process ended with ${end}: ${said.slice(0, 300)}`);
    const at = reached ? point : 'at any moment';
    points[at] = (points[at] ?? 0) + 1;
  };

  let isOver = false;
  const feed = async (): Promise<void> => {
    while (!isOver) {
      const { waiting: now } = await world.queue.stats();
      for (let missing = waiting - now; missing > 0; missing -= 1) await world.add(random.between(1, 12));
      await wait(20);
    }
  };
  const feeding = feed();
  await inParallel(
    Array.from({ length: count }, (_, nth) => killPoints[nth % killPoints.length]!),
    processes,
    kill,
  );
  isOver = true;
  await feeding;

  const last = await Promise.all([plan, plan].map((own) => startQueueProcess(own)));
  if (!(await world.settled(60_000)))
    problems.push(`not settled: ${JSON.stringify(await world.queue.stats())}`);
  problems.push(...(await judgeQueue(world, folder)));
  for (const running of last) running.kill('SIGTERM');
  for (const { end, said } of await Promise.all(last.map(({ ended }) => ended)))
    if (end !== 0) problems.push(`a worker ended with ${end}: ${said.slice(0, 300)}`);
  const jobs = await world.list();
  await rm(folder, { recursive: true, force: true });
  return {
    kills: count,
    points,
    jobs: jobs.length,
    unknown: jobs.filter(({ phase }) => phase === 'unknown').length,
    problems: problems.map((problem) => `${dialect}: ${problem}`),
  };
};
