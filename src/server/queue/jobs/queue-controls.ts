import { queueStats } from './queue-stats.js';
import { checkTier, type OpenQueue } from './open-queue.js';
import { notOverServers, slotsOfServersHint } from '../store/queue-kind.js';
import type { JobQueue } from './job-queue.js';
import { setSlots } from './slots.js';
import { settledQueue } from './settled-queue.js';

/** The calls that concern a queue as a whole. */
export type QueueControls = Pick<
  JobQueue,
  'pause' | 'resume' | 'drain' | 'clear' | 'stats' | 'setWeight' | 'setTier'
>;

/** Makes the {@link QueueControls} of a queue that opens with the first call. */
export const queueControls = (open: () => Promise<OpenQueue>): QueueControls => ({
  pause: async (reason = 'paused') => {
    const { slotTokens, queueStore } = await open();
    await slotTokens.pause();
    await queueStore.setPaused(reason);
  },
  resume: async () => {
    const { slotTokens, queueStore } = await open();
    await queueStore.setDraining(false);
    await queueStore.setPaused(undefined);
    await slotTokens.resume();
  },
  drain: async () => {
    const { queueStore, clock } = await open();
    await queueStore.setDraining(true);
    await settledQueue(queueStore, clock);
  },
  clear: async () => (await open()).queueStore.clear(),
  stats: async () => queueStats(await (await open()).queueStore.stats()),
  setWeight: async (tenant, weight) => (await open()).store.setWeight(tenant, weight),
  setTier: async (tier) => {
    checkTier(tier);
    const queue = await open();
    if (queue.kind === 'servers') throw notOverServers('tier', slotsOfServersHint);
    await setSlots(queue, tier);
  },
});
