import { afterAll, beforeAll } from 'vitest';
import { describeWith, findProgram } from '../outside/programs.js';
import { type RedisServer, startRedis } from '../outside/redis/server.js';

/**
 * Describes what needs a Redis server, which is the file's own; `server` gives it to a test. It keeps nothing for certain, so that it is
 * quick: a test that kills it sets `appendfsync` itself.
 */
export const describeRedis = (describes: (server: () => RedisServer) => void): void =>
  describeWith('Redis', findProgram('redis-server'), (program) => {
    let server: RedisServer;
    beforeAll(async () => {
      server = await startRedis(program);
      await server.connect().config('SET', 'appendfsync', 'no');
    });
    afterAll(() => server[Symbol.asyncDispose]());
    describes(() => server);
  });
