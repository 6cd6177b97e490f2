import { Cluster, Redis } from 'ioredis';
import { Cluster as Cluster5 } from 'ioredis5';
import { createClient, createClientPool, createCluster, createSentinel } from 'redis';
import { expect, it } from 'vitest';
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
