import type { Queue as BullQueue } from 'bullmq';
import { bullConnection } from './bull-connection.js';
import { engineIdOf } from './engine-id.js';
import type { Packages } from './load.js';
import { readyEngine } from './ready-engine.js';
import type { QueueKind } from '../store/queue-kind.js';
import { type RedisClient, redisCommands } from '../redis/redis-client.js';

/** A slot token that is due after so many milliseconds. */
export interface NewToken {
  readonly id: string;
  readonly delayMs?: number | undefined;
}

/** The slot tokens of a queue: as many run at once, on all machines, as the queue has slots. */
export interface SlotTokens {
  /** Adds a slot token, after so many milliseconds; a slot token with an id that is there already is not added. */
  readonly add: (id: string, delayMs?: number) => Promise<void>;
  /** Adds slot tokens in one round trip, in the same way; `close` waits for it. */
  readonly addAll: (slotTokens: readonly NewToken[]) => Promise<void>;
  /** Adds a delivery. */
  readonly addDelivery: (id: string) => Promise<void>;
  /** How many slot tokens run at once, on all machines; with 0 none begins. */
  readonly setLimit: (slots: number) => Promise<void>;
  /** Lets no slot token begin, on any machine. */
  readonly pause: () => Promise<void>;
  readonly resume: () => Promise<void>;
  /** How many slot tokens have not begun and are due. */
  readonly due: () => Promise<number>;
  /** How many deliveries wait, for a moment as well, or run. */
  readonly deliveries: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** How often a slot token that was lost or that threw is tried again: for ever. */
export const always = 2 ** 31 - 1;

const tokenOptions = {
  attempts: always,
  backoff: { type: 'fixed', delay: 1_000 },
  removeOnComplete: true,
  removeOnFail: true,
};

/** How often a delivery is tried again, with growing pauses: for six days in all. */
const deliveryOptions = {
  attempts: 20,
  backoff: { type: 'exponential', delay: 1_000 },
  removeOnComplete: true,
  removeOnFail: { age: 7 * 24 * 3600, count: 1_000 },
};

/** What BullMQ keeps beside its jobs. */
const reservedBy = ({ keys }: Pick<BullQueue, 'keys'>): string[] => Object.keys(keys);

/** What the keys of a queue's slot tokens begin with. */
export const prefixOf = (name: string): string => `{promptwire:${name}}:engine`;

/**
 * Opens the slot tokens of a queue: BullMQ keeps them, hands them out, and gives those of a dead worker to another one. Throws
 * `InvalidConfig` for a BullMQ of another version.
 */
export const openSlotTokens = (packages: Packages, redis: RedisClient, name: string): SlotTokens => {
  const { Queue } = packages.bullmq;
  const { again } = redisCommands(redis);
  const options = { connection: bullConnection(packages, redis), prefix: prefixOf(name) };
  const slotTokens = readyEngine(() => new Queue('turns', { ...options, defaultJobOptions: tokenOptions }));
  const deliveries = readyEngine(
    () => new Queue('deliveries', { ...options, defaultJobOptions: deliveryOptions }),
  );
  const underWay = new Set<Promise<void>>();
  const add: SlotTokens['add'] = async (id, delayMs = 0) => {
    const delay = delayMs > 0 && { delay: delayMs };
    await again(async () => {
      const queue = await slotTokens.ready();
      await queue.add('turn', {}, { jobId: engineIdOf(id, reservedBy(queue)), ...delay });
    });
  };
  return {
    add,
    // The client sends all of them before it waits for an answer; BullMQ's own call for many fails by node-redis after a restart.
    addAll: (given) => {
      const adding = Promise.all(given.map(({ id, delayMs }) => add(id, delayMs)))
        .then(() => undefined)
        .finally(() => underWay.delete(adding));
      underWay.add(adding);
      return adding;
    },
    addDelivery: async (id) => {
      await again(async () => {
        const queue = await deliveries.ready();
        await queue.add('delivery', {}, { jobId: engineIdOf(id, reservedBy(queue)) });
      });
    },
    setLimit: async (slots) => {
      await again(async () => (await slotTokens.ready()).setGlobalConcurrency(slots));
    },
    pause: () => again(async () => (await slotTokens.ready()).pause()),
    resume: () => again(async () => (await slotTokens.ready()).resume()),
    due: async () => {
      const { waiting = 0, prioritized = 0 } = await again(async () =>
        (await slotTokens.ready()).getJobCounts('waiting', 'prioritized'),
      );
      return waiting + prioritized;
    },
    deliveries: async () => {
      const counts = await again(async () =>
        (await deliveries.ready()).getJobCounts('waiting', 'delayed', 'active'),
      );
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    close: async () => {
      await Promise.allSettled(underWay);
      await Promise.all([slotTokens.close(), deliveries.close()]);
    },
  };
};

/** The slot tokens of a queue of this kind: workers over servers take jobs without them, so that none is added, and pauses are read of the store. */
export const slotTokensOf = (kind: QueueKind, slotTokens: SlotTokens): SlotTokens => {
  const nothing = (): Promise<void> => Promise.resolve();
  return kind === 'account'
    ? slotTokens
    : {
        ...slotTokens,
        ...{ add: nothing, addAll: nothing, setLimit: nothing, pause: nothing, resume: nothing },
        due: () => Promise.resolve(Infinity),
      };
};
