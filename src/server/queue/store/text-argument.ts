import type { RedisArgument } from '../redis/redis-commands.js';
import { turnForLargeText } from '../../joblog/turn-for-large.js';

/**
 * Makes an argument of a command from a text that was written in this turn of the event loop: a large one is encoded in another turn, and may be
 * sent in a third, where its bytes are only copied.
 */
export const textArgument = async (text: string): Promise<RedisArgument> => {
  await turnForLargeText(text);
  const bytes = Buffer.from(text);
  await turnForLargeText(text);
  return bytes;
};
