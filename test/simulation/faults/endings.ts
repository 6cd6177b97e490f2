import type { Effect } from './effect.js';

/** What ends a client while its submissions are under way; no schedule draws these. */
export const endingFaults = {
  'client is closed': ({ world, hit }) => {
    world.user.close();
    hit();
  },
  'client is drained': ({ world, fault, hit }) => {
    world.user.drain(fault.job);
    hit();
  },
} satisfies Record<string, Effect>;
