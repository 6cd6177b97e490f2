import { answerWithin } from '../../../core/platform/answer-within.js';
import { isOfReplica, isRefusal, wordsOf } from '../redis/refusal.js';
import type { OpenQueue } from '../jobs/open-queue.js';
import { redisCommands } from '../redis/redis-client.js';
import type { StoreStats } from '../store/redis-queue-store.js';

/** The parts of a queue by which a worker asks its server. */
export type AskedServer = Pick<OpenQueue, 'clock' | 'redis' | 'trouble'> & {
  readonly queueStore: Pick<OpenQueue['queueStore'], 'stats'>;
};

/**
 * Asks the server how full the queue is, by a step that writes, and notes whether that works: undefined if it takes no writes, or does
 * not answer in time, such as a server that stands still with its connections open.
 */
export const askServer = async (
  { queueStore, clock, redis, trouble }: AskedServer,
  withinMs: number,
): Promise<StoreStats | undefined> => {
  let refusal: string | undefined;
  const ask = () =>
    queueStore.stats().catch((error: unknown) => {
      // A node of a cluster refuses the question itself.
      if (isRefusal(error)) refusal = wordsOf(error);
      return undefined;
    });
  const stats = await answerWithin(clock, withinMs, ask, undefined);
  const words = stats === undefined ? (refusal ?? 'it does not answer') : stats.refused;
  trouble.refused(words);
  if (words !== undefined && isOfReplica(words)) redisCommands(redis).reconnect();
  return words === undefined ? stats : undefined;
};
