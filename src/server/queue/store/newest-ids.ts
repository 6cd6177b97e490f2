import type { RedisCommands } from '../redis/redis-commands.js';

/** Up to so many members of a sorted set, the highest score first, after one of them; undefined where that one is not there. */
export const newestIds = async (
  { send }: Pick<RedisCommands, 'send'>,
  key: string,
  limit: number,
  after: string | undefined,
): Promise<readonly string[] | undefined> => {
  const score = after === undefined ? undefined : ((await send('ZSCORE', key, after)) as string | null);
  if (score === null) return undefined;
  const from = score === undefined ? '+inf' : `(${score}`;
  return (await send('ZREVRANGEBYSCORE', key, from, '-inf', 'LIMIT', 0, limit)) as readonly string[];
};
