import type { ClientTier } from 'promptwire';

const slots: Readonly<Record<ClientTier, number>> = {
  free: 1,
  standard: 1,
  creator: 3,
  pro: 5,
  unlimited: 100,
};

/** How many jobs an account of this tier runs at once; a number is itself. */
export const slotsOf = (tier: ClientTier | number): number => (typeof tier === 'number' ? tier : slots[tier]);
