import { ioredisCommands } from './ioredis-commands.js';
import { type NodeRedisClient, nodeRedisCommands } from './node-redis-commands.js';
import type { Redis } from 'ioredis';
import { withRefusals } from './refusal.js';
import type { RedisCommands } from './redis-commands.js';

/** A client of Redis that this package has opened: of the package ioredis (5, 6) or redis (6). */
export type RedisClient = Redis | NodeRedisClient;

/** The commands of a client; ioredis alone defines scripts as methods. */
export const redisCommands = (client: RedisClient): RedisCommands =>
  withRefusals('defineCommand' in client ? ioredisCommands(client) : nodeRedisCommands(client));
