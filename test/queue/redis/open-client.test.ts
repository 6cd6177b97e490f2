import { Cluster, Redis } from 'ioredis';
import { Cluster as Cluster5 } from 'ioredis5';
import { createClient, createClientPool, createCluster, createSentinel } from 'redis';
import { expect, it, onTestFinished } from 'vitest';
import { openClient } from '../../../src/server/queue/redis/open-client.js';
import type { QueueConnection } from '../../../src/server/queue/options.js';
import { redisCommands } from '../../../src/server/queue/redis/redis-client.js';

const nodes = [{ host: '127.0.0.1', port: 1 }];
const lazy = { lazyConnect: true } as const;
const { signal } = new AbortController();
const refused = (message: string): unknown =>
  expect.objectContaining({
    ...{ _tag: 'InvalidConfig', option: 'connection' },
    message: expect.stringContaining(message) as string,
  });

it.each([
  ['a cluster of ioredis 6', () => new Cluster(nodes, lazy), 'a Redis Cluster'],
  ['a cluster of ioredis 5', () => new Cluster5(nodes, lazy), 'a Redis Cluster'],
  [
    'a cluster of node-redis',
    () => createCluster({ rootNodes: [{ url: 'redis://127.0.0.1:1' }] }),
    'a Redis Cluster',
  ],
  ['Sentinel of node-redis', () => createSentinel({ name: 'm', sentinelRootNodes: nodes }), 'no client'],
  ['a pool of node-redis', () => createClientPool(), 'no client'],
  ['something else', () => ({ duplicate: () => ({}), on: () => 0, connect: () => 0 }), 'no client'],
  ['ioredis with a keyPrefix', () => new Redis({ ...lazy, keyPrefix: 'a:' }), 'a keyPrefix'],
  ['node-redis with a keyPrefix', () => createClient({ keyPrefix: 'a:' }), 'a keyPrefix'],
  ['options with a keyPrefix', () => ({ host: '127.0.0.1', port: 1, keyPrefix: 'a:' }), 'a keyPrefix'],
])('Q4 refuses %s before it connects', async (_, instance, message) => {
  await expect(openClient(instance() as QueueConnection, signal)).rejects.toEqual(refused(message));
});

it('Q4 has the address of an instance, without its password', async () => {
  const url = 'redis://user:secret@127.0.0.1:1';
  for (const instance of [new Redis(url, lazy), createClient({ url })]) {
    const commands = redisCommands(await openClient(instance, signal));
    expect(commands.address()).toBe('127.0.0.1:1');
    commands.close();
  }
});

/** Opens a client and closes it at the end of the test; nothing answers at its address. */
const openedBy = async (connection: QueueConnection) => {
  const over = new AbortController();
  const client = (await openClient(connection, over.signal)) as unknown as {
    readonly options: Readonly<Record<string, unknown>>;
  };
  onTestFinished(() => redisCommands(client as never).close());
  return { options: client.options, over };
};
type Delay = (times: number, cause?: Error) => unknown;

/** What a queue needs of ioredis, whatever a program sets for its own calls. */
const waiting = {
  ...{ maxRetriesPerRequest: null, enableOfflineQueue: true, autoResendUnfulfilledCommands: true },
  ...{ commandTimeout: undefined, protocol: 2 },
};
const ownCalls = { ...lazy, maxRetriesPerRequest: 3, enableOfflineQueue: false, commandTimeout: 5 };

it.each<readonly [string, () => QueueConnection, object]>([
  ['an address', () => '127.0.0.1:1', { port: 1, socketTimeout: 20_000 }],
  [
    'an address with a scheme and spaces',
    () => ' redis://127.0.0.1:1/3 ',
    { port: 1, db: 3, socketTimeout: 20_000 },
  ],
  ['options', () => ({ host: '127.0.0.1', port: 1, maxRetriesPerRequest: 3 }), { socketTimeout: 20_000 }],
  ['options of its own', () => ({ host: '127.0.0.1', port: 1, socketTimeout: 7 }), { socketTimeout: 7 }],
  [
    'an instance',
    () => new Redis({ ...ownCalls, host: '127.0.0.1', port: 1 }),
    { lazyConnect: false, socketTimeout: 20_000 },
  ],
  [
    'an instance with a limit of its own',
    () => new Redis({ ...ownCalls, host: '127.0.0.1', port: 1, socketTimeout: 7 }),
    { socketTimeout: 7 },
  ],
])('Q9 has calls wait while the server is away: %s', async (_, connection, more) => {
  const { options } = await openedBy(connection());
  expect(options).toMatchObject({ ...waiting, ...more, host: '127.0.0.1', port: 1 });
});

it('Q9 connects by ioredis again and again, later each time up to a second, until it is over', async () => {
  const { options, over } = await openedBy('127.0.0.1:1');
  const delay = options['retryStrategy'] as Delay;
  expect([1, 2, 20, 21, 1_000].map((times) => delay(times))).toEqual([50, 100, 1_000, 1_000, 1_000]);
  over.abort();
  expect(delay(1)).toBeNull();
  const leaves = options['reconnectOnError'] as (error: Error) => unknown;
  expect(['READONLY You', 'MOVED 1 a', 'ERR no'].map((words) => leaves(new Error(words)))).toEqual([
    true,
    true,
    false,
  ]);
});

it('Q9 connects by node-redis again and again, until it is over or the server refuses it', async () => {
  const url = 'redis://127.0.0.1:1';
  const commandOptions = { timeout: 5 };
  const { options, over } = await openedBy(createClient({ url, commandOptions, commandsQueueMaxLength: 1 }));
  expect(options).toMatchObject({
    ...{ RESP: 2, disableOfflineQueue: false, pingInterval: 5_000, commandsQueueMaxLength: undefined },
    socket: { socketTimeout: 20_000 },
  });
  expect(options['commandOptions']).toMatchObject({ timeout: undefined });
  const { reconnectStrategy: delay } = options['socket'] as { readonly reconnectStrategy: Delay };
  const [cut, refused] = [new Error('connect ECONNREFUSED'), new Error('WRONGPASS no')];
  expect([0, 1, 19, 20, 1_000].map((times) => delay(times, cut))).toEqual([50, 100, 1_000, 1_000, 1_000]);
  expect(delay(0, refused)).toBe(refused);
  over.abort();
  expect(delay(0, cut)).toBe(cut);
  const own = await openedBy(createClient({ url, socket: { socketTimeout: 7, host: '127.0.0.1', port: 1 } }));
  expect(own.options['socket']).toMatchObject({ socketTimeout: 7 });
});
