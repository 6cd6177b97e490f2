import { defer, filter, lastValueFrom, repeat, take } from 'rxjs';
import type { Clock } from '../../../core/platform/platform.js';
import type { QueueStore } from '../store/redis-queue-store.js';
import { timerOn } from '../../../core/platform/timer.js';

/** How often a drain asks, in milliseconds. */
const everyMs = 250;

/** Resolves once no job waits and none runs. */
export const settledQueue = async (store: Pick<QueueStore, 'stats'>, clock: Clock): Promise<void> => {
  const stats = defer(() => store.stats()).pipe(repeat({ delay: () => timerOn(clock, everyMs) }));
  const settled = stats.pipe(
    filter(({ waiting, delayed, held }) => waiting + delayed + held === 0),
    take(1),
  );
  await lastValueFrom(settled, { defaultValue: undefined });
};
