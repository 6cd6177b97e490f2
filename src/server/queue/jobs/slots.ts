import type { ClientTier } from '../../../client/jobs/run.js';
import type { QueueStore } from '../store/redis-queue-store.js';
import type { SlotTokens } from '../engine/slot-tokens.js';

/** Where the slots of a queue are kept. */
interface SlotPlaces {
  readonly queueStore: Pick<QueueStore, 'stats' | 'setSlots'>;
  readonly slotTokens: Pick<SlotTokens, 'setLimit'>;
}

const slots: Readonly<Record<ClientTier, number>> = {
  free: 1,
  standard: 1,
  creator: 3,
  pro: 5,
  unlimited: 100,
};

/** How many jobs an account of this tier runs at once; a number is itself. */
export const slotsOf = (tier: ClientTier | number): number => (typeof tier === 'number' ? tier : slots[tier]);

/** Lets as many slot tokens run at once as the account has slots that no other program's job uses. */
export const limitTokens = async ({ queueStore, slotTokens }: SlotPlaces): Promise<void> => {
  const { slots: all, external } = await queueStore.stats();
  await slotTokens.setLimit(Math.max(0, all - external));
};

/** Changes how many jobs the account runs at once. */
export const setSlots = async (queue: SlotPlaces, tier: ClientTier | number): Promise<void> => {
  await queue.queueStore.setSlots(slotsOf(tier));
  await limitTokens(queue);
};
