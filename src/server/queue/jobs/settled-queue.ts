import { defer, filter, lastValueFrom, repeat, take } from 'rxjs';
import type { QueueStore } from '../store/redis-queue-store.js';

/** How often a drain asks, in milliseconds. */
const everyMs = 250;

/** Resolves once no job waits and none runs. */
export const settledQueue = async (store: Pick<QueueStore, 'stats'>): Promise<void> => {
  const stats = defer(() => store.stats()).pipe(repeat({ delay: everyMs }));
  const settled = stats.pipe(
    filter(({ waiting, delayed, held }) => waiting + delayed + held === 0),
    take(1),
  );
  await lastValueFrom(settled, { defaultValue: undefined });
};
