import { inParallel } from '../../helpers/in-parallel.js';
import { type KillPoint, killPoints } from './kill-points.js';
import { playBusyQueue, processes, type QueueService, type SettledQueue } from './busy-queue.js';
import type { Random } from '../../simulation/random.js';
import { setTimeout as wait } from 'node:timers/promises';

/** What a queue came to whose processes were killed. */
export interface KilledQueue extends SettledQueue {
  readonly kills: number;
  /** How many of them were at each point. */
  readonly points: Readonly<Record<string, number>>;
}

/** How long a process may take to come to its point; then it is killed where it is. */
const reachesWithinMs = 5_000;

/** Kills processes of one queue, one after another, while three of them work; then lets the rest be done. */
export const playKills = async (
  service: QueueService,
  count: number,
  random: Random,
): Promise<KilledQueue> => {
  const points: Record<string, number> = {};
  const settled = await playBusyQueue(service, random, async (_, plan, spares) => {
    const problems: string[] = [];
    const kill = async (point: KillPoint): Promise<void> => {
      const running = await spares.start({ ...plan(), kill: { point, nth: random.between(1, 2) } });
      const soon =
        point === 'at any moment' ? running.ready.then(() => wait(random.below(400))) : wait(reachesWithinMs);
      const reached = await Promise.race([running.ended.then(() => true), soon.then(() => false)]);
      running.kill('SIGKILL');
      const { end, said } = await running.ended;
      if (end !== 'SIGKILL') problems.push(`a process ended with ${end}: ${said.slice(0, 300)}`);
      const at = reached ? point : 'at any moment';
      points[at] = (points[at] ?? 0) + 1;
    };
    await inParallel(
      Array.from({ length: count }, (_each, nth) => killPoints[nth % killPoints.length]!),
      processes,
      kill,
    );
    return problems;
  });
  return { ...settled, kills: count, points };
};
