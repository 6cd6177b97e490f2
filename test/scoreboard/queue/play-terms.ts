import { inParallel } from '../../helpers/in-parallel.js';
import { playBusyQueue, processes, type QueueService, type SettledQueue } from './busy-queue.js';
import type { Random } from '../../simulation/random.js';
import { setTimeout as wait } from 'node:timers/promises';

/** What a queue came to whose workers were told to end. */
export interface EndedWorkers extends SettledQueue {
  /** How long each of them took until its exit, in milliseconds. */
  readonly ms: readonly number[];
}

const graceMs = 500;

/** Ends workers of one queue by SIGTERM, one after another, while three of them work; then lets the rest be done. */
export const playTerms = async (
  service: QueueService,
  count: number,
  random: Random,
): Promise<EndedWorkers> => {
  const ms: number[] = [];
  const settled = await playBusyQueue(service, random, async (_, plan, spares) => {
    const problems: string[] = [];
    const end = async (): Promise<void> => {
      const running = await spares.start({ ...plan(), graceMs });
      await running.ready;
      await wait(random.below(600));
      const at = performance.now();
      running.kill('SIGTERM');
      const { end: code, said } = await running.ended;
      ms.push(performance.now() - at);
      if (code !== 0) problems.push(`a worker ended with ${code}: ${said.slice(0, 300)}`);
    };
    await inParallel(Array.from({ length: count }), processes, end);
    return problems;
  });
  return { ...settled, ms };
};
