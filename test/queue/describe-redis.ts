import { afterAll, beforeAll } from 'vitest';
import { describeWith, findProgram } from '../helpers/describe-with.js';
import { type RedisServer, startRedis } from '../helpers/redis-server.js';

/**
 * Describes what needs a Redis server, which is the file's own; `server` gives it to a test. It keeps nothing for certain, so that it is
 * quick; `isDurable` gives it the settings that a queue needs, for tests that kill it or open a queue.
 */
export const describeRedis = (
  describes: (server: () => RedisServer) => void,
  {
    isDurable = false,
    more = {},
  }: { readonly isDurable?: boolean; readonly more?: Readonly<Record<string, string>> } = {},
): void =>
  describeWith('Redis', findProgram('redis-server'), (program) => {
    let server: RedisServer;
    beforeAll(async () => {
      server = await startRedis(program, more);
      if (!isDurable) await server.connect().config('SET', 'appendfsync', 'no');
    });
    afterAll(() => server[Symbol.asyncDispose]());
    describes(() => server);
  });
