import { expect, it } from 'vitest';
import { loadPackages } from '../../../src/server/queue/engine/load.js';
import { loadRedisClient } from '../../../src/server/queue/redis/load-client.js';

const cause = new Error('Cannot find package');
const absent = (): Promise<never> => Promise.reject(cause);

it('gives both packages of a queue', async () => {
  const [bullmq, ioredis] = [await import('bullmq'), await import('ioredis')];
  expect((await loadPackages()).bullmq.Queue).toBe(bullmq.Queue);
  expect((await loadRedisClient(true)).ioredis?.Redis).toBe(ioredis.Redis);
});

it('gives the package redis where ioredis is not installed and an address is all that there is', async () => {
  const { createClient } = await import('redis');
  expect((await loadRedisClient(true, absent)).redis?.createClient).toBe(createClient);
});

it.each([
  ['bullmq', () => loadPackages(absent)],
  ['ioredis', () => loadRedisClient(true, absent, absent)],
  ['ioredis', () => loadRedisClient(false, absent)],
])('names %s where it is not installed, and how to install both', async (name, load) => {
  await expect(load()).rejects.toMatchObject({
    ...{ _tag: 'InvalidConfig', option: 'connection', cause },
    message: `A queue needs the package ${name}, which is not installed.`,
    hint: 'Install both packages of a queue: npm install bullmq@6 ioredis@6',
  });
});
