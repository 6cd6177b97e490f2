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
    const { turns, whole } = await open();
    await turns.pause();
    await whole.setPaused(reason);
  },
  resume: async () => {
    const { turns, whole } = await open();
    await whole.setDraining(false);
    await whole.setPaused(undefined);
    await turns.resume();
  },
  drain: async () => {
    const { whole, clock } = await open();
    await whole.setDraining(true);
    await settledQueue(whole, clock);
  },
  clear: async () => (await open()).whole.clear(),
  stats: async () => (await open()).whole.stats(),
  setWeight: async (tenant, weight) => (await open()).store.setWeight(tenant, weight),
  setTier: async (tier) => {
    checkTier(tier);
    const queue = await open();
    if (queue.kind === 'servers') throw notOverServers('tier', slotsOfServersHint);
    await setSlots(queue, tier);
  },
});
