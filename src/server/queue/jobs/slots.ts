import type { ClientTier } from '../../../client/jobs/run.js';
import type { QueueStore } from '../store/redis-queue-store.js';
import type { Turns } from '../engine/turns.js';

/** What the slots of a queue are kept in. */
interface SlotPlaces {
  readonly whole: Pick<QueueStore, 'stats' | 'setSlots'>;
  readonly turns: Pick<Turns, 'setLimit'>;
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

/** Lets as many turns run at once as the account has slots that no other program's job uses. */
export const limitTurns = async ({ whole, turns }: SlotPlaces): Promise<void> => {
  const { slots: all, foreign } = await whole.stats();
  await turns.setLimit(Math.max(0, all - foreign));
};

/** Changes how many jobs the account runs at once. */
export const setSlots = async (queue: SlotPlaces, tier: ClientTier | number): Promise<void> => {
  await queue.whole.setSlots(slotsOf(tier));
  await limitTurns(queue);
};
