import { type RedisClient, redisCommands } from '../redis/redis-client.js';
import type { RedisArgument } from '../redis/redis-commands.js';
import { createHash } from 'node:crypto';

/** A Lua script, one atomic step. Its only key is the prefix of the queue, which all of its keys begin with and share a slot by. */
export interface Script {
  readonly lua: string;
  readonly sha: string;
}

/** Makes a script of its text; those of a queue stand in the files of `scripts`. */
export const script = (lua: string): Script => ({
  lua,
  sha: createHash('sha1').update(lua).digest('hex'),
});

/** Runs a script, and loads it where the server does not know it, as after a restart. */
export const runScript = async (
  client: RedisClient,
  { lua, sha }: Script,
  prefix: string,
  ...args: readonly RedisArgument[]
): Promise<unknown> => {
  const redis = redisCommands(client);
  try {
    return await redis.evalsha(sha, [prefix], args);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return redis.send('EVAL', lua, 1, prefix, ...args);
  }
};
