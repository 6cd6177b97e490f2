import { aQueue, playedClient } from './a-worker.js';
import { describeRedis } from '../describe-redis.js';
import { expect, it } from 'vitest';
import type { Redis } from 'ioredis';

const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };

/** What a server does while jobs run, how that ends, and whether a worker feels it in between. */
type Fault = readonly [
  what: string,
  fault: {
    readonly begin: (redis: Redis) => Promise<unknown>;
    readonly end?: (redis: Redis) => Promise<unknown>;
  },
];

const endAll = async (redis: Redis): Promise<void> => {
  for (const type of ['PUBSUB', 'NORMAL']) await redis.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'YES');
};

const faults: readonly Fault[] = [
  ['forgets its scripts', { begin: (redis) => redis.script('FLUSH') }],
  ['ends all connections', { begin: endAll }],
  [
    'lets writes wait',
    {
      begin: (redis) => redis.call('CLIENT', 'PAUSE', '100000', 'WRITE'),
      end: (redis) => redis.call('CLIENT', 'UNPAUSE'),
    },
  ],
  [
    'asks for a password that nobody has',
    {
      begin: async (redis) => {
        await redis.config('SET', 'requirepass', 'a-password');
        await redis.call('AUTH', 'a-password');
        await endAll(redis);
      },
      end: (redis) => redis.config('SET', 'requirepass', ''),
    },
  ],
  [
    'takes the right to run scripts away',
    {
      begin: (redis) => redis.call('ACL', 'SETUSER', 'default', '-evalsha', '-eval'),
      end: (redis) => redis.call('ACL', 'SETUSER', 'default', '+@all'),
    },
  ],
];

describeRedis((server) => {
  it.each(faults)('Q9 goes on after a server that %s', async (_, { begin, end }) => {
    const redis = server().connect();
    const { queue, work, phaseOf } = aQueue(server());
    const { service, client } = playedClient();
    const worker = work(client, { tier: 1, onWarning: () => undefined });
    const running = await queue.add(workflow);
    const waiting = await queue.add(workflow);
    await expect.poll(() => service.submitted.length).toBe(1);
    await worker.ready;
    await begin(redis);
    if (end !== undefined) {
      try {
        await expect.poll(() => worker.health(), patience).toMatchObject({ ready: false });
      } finally {
        await end(redis);
      }
    }
    service.move(service.submitted[0]!.promptId, 'completed');
    await expect.poll(() => phaseOf(running), patience).toBe('completed');
    await expect.poll(() => service.submitted.length, patience).toBe(2);
    service.move(service.submitted[1]!.promptId, 'completed');
    await expect.poll(() => phaseOf(waiting), patience).toBe('completed');
    await expect.poll(() => worker.health(), patience).toMatchObject({ ready: true });
  });
});

const patience = { timeout: 20_000 };
