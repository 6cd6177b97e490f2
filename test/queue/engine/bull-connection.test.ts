import { bullConnection } from '../../../src/server/queue/engine/bull-connection.js';
import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';

const world = () => {
  const made: unknown[] = [];
  const client = new EventEmitter();
  const createNodeRedisClient = (redis: unknown) => {
    made.push(redis);
    return client;
  };
  return { made, client, packages: { bullmq: { createNodeRedisClient } } as never };
};

it('takes a client of ioredis as it is', () => {
  const { made, packages } = world();
  const redis = { defineCommand: () => undefined } as never;
  expect(bullConnection(packages, redis)).toBe(redis);
  expect(made).toEqual([]);
});

it('makes a connection of a client of node-redis, which no error ends', () => {
  const { made, client, packages } = world();
  const redis = { sendCommand: () => undefined } as never;
  expect(bullConnection(packages, redis)).toBe(client);
  expect(made).toEqual([redis]);
  expect(() => client.emit('error', new Error('away'))).not.toThrow();
});
