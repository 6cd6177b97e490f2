import { type RedisClient, redisCommands } from '../redis/redis-client.js';

const keysPerCall = 1_000;

/** The names of all keys with a prefix, without it; none where the user may not ask for them. */
export const keysBelow = async (redis: RedisClient, prefix: string): Promise<readonly string[]> => {
  const { send } = redisCommands(redis);
  const pattern = `${prefix.replaceAll(/[*?[\]\\]/gu, '\\$&')}*`;
  const found = new Set<string>();
  let cursor = '0';
  do {
    const page = await send('SCAN', cursor, 'MATCH', pattern, 'COUNT', keysPerCall).catch(noneIfRefused);
    const [next, keys] = page as readonly [string, readonly string[]];
    for (const key of keys) found.add(key.slice(prefix.length));
    cursor = next;
  } while (cursor !== '0');
  return [...found];
};

const noneIfRefused = (error: unknown): readonly ['0', readonly string[]] => {
  if (error instanceof Error && error.message.startsWith('NOPERM')) return ['0', []];
  throw error;
};
