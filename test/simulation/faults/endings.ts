import type { Effect } from './effect.js';

/** What ends a client while its submissions are under way; no schedule draws these. */
export const endingFaults = {
  'client is closed': ({ backend, hit }) => {
    backend.user.close();
    hit();
  },
  'client is drained': ({ backend, fault, hit }) => {
    backend.user.drain(fault.job);
    hit();
  },
} satisfies Record<string, Effect>;
