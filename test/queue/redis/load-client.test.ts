import { expect, it } from 'vitest';
import { loadRedisClient } from '../../../src/server/queue/redis/load-client.js';

const ioredis = { name: 'ioredis' } as never;
const redis = { name: 'redis' } as never;
const absent = new Error('Cannot find package');
const fails = () => Promise.reject(absent);
const lacks = {
  ...{ _tag: 'InvalidConfig', option: 'connection', cause: absent },
  message: 'A queue needs the package ioredis, which is not installed.',
};

it('a queue opens its client by ioredis, and by the package redis where that is not installed', async () => {
  expect(await loadRedisClient(true, () => Promise.resolve(ioredis), fails)).toEqual({ ioredis });
  expect(await loadRedisClient(true, fails, () => Promise.resolve(redis))).toEqual({ redis });
  expect((await loadRedisClient(true, fails)).redis?.createClient).toBeTypeOf('function');
});

it('a queue says which package it lacks, also where only ioredis reads its options', async () => {
  await expect(loadRedisClient(true, fails, fails)).rejects.toMatchObject(lacks);
  await expect(loadRedisClient(false, fails, () => Promise.resolve(redis))).rejects.toMatchObject(lacks);
});
