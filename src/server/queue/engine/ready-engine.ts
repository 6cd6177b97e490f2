import { assertLockVersion } from './bullmq-lock.js';
import type { Queue } from 'bullmq';

/** A queue of BullMQ that can work. */
export interface ReadyEngine {
  /** Resolves with it once it can work. Rejects where the server's first answer fails, and opens it anew for the next call. */
  readonly ready: () => Promise<Queue>;
  readonly close: () => Promise<void>;
}

/**
 * Opens a queue of BullMQ, which asks the server once what it is. Where the connection ends meanwhile, that queue fails at each call for ever:
 * another one takes its place. Throws `InvalidConfig` for a BullMQ of another version than the queue works by.
 */
export const readyEngine = (open: () => Queue): ReadyEngine => {
  const opened = (): Queue => {
    const queue = open();
    // The connection says so of every attempt while the server is unreachable.
    queue.on('error', () => undefined);
    assertLockVersion(queue);
    return queue;
  };
  let current = opened();
  return {
    ready: async () => {
      const asked = current;
      try {
        await asked.waitUntilReady();
      } catch (cause) {
        if (asked === current) {
          asked.close().catch(() => undefined);
          current = opened();
        }
        throw cause;
      }
      return asked;
    },
    close: () => current.close(),
  };
};
