import type { RedisCommands } from '../redis/redis-commands.js';

/** At most `limit` members of a sorted set, the highest score first, after one of them; undefined if the set lacks that one. */
export const newestIds = async (
  commands: Pick<RedisCommands, 'send'>,
  key: string,
  limit: number,
  after: string | undefined,
): Promise<readonly string[] | undefined> => {
  if (after === undefined) return (await newestBelow(commands, key, limit)).ids;
  const score = (await commands.send('ZSCORE', key, after)) as string | null;
  return score === null ? undefined : (await newestBelow(commands, key, limit, score)).ids;
};

type Part = string | number;

/** Members of a sorted set. */
export interface RankedIds {
  readonly ids: readonly string[];
  /** The score of the last one, below which the next ones are; absent if there are no more. */
  readonly next?: string;
}

/** At most `limit` members below a score, the highest score first. */
export const newestBelow = async (
  { send }: Pick<RedisCommands, 'send'>,
  key: string,
  limit: number,
  score?: string,
): Promise<RankedIds> => {
  const from = score === undefined ? '+inf' : `(${score}`;
  const range = [key, from, '-inf', 'WITHSCORES', 'LIMIT', 0, limit] as const;
  // In pairs or one after the other, as the protocol of the connection has it.
  const reply = (await send('ZREVRANGEBYSCORE', ...range)) as readonly (Part | readonly Part[])[];
  const flat = reply.flat().map(String);
  const ids = flat.filter((_, index) => index % 2 === 0);
  const next = ids.length < limit ? undefined : flat.at(-1);
  return { ids, ...(next !== undefined && { next }) };
};
