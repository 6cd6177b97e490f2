import type { Clock } from '../../../core/platform/platform.js';
import { isLargerThan } from '../../../core/protocol/json/is-larger-than.js';
import { nextTurn } from '../../../core/platform/next-turn.js';

/** A longer text takes long to read, to write and to hash, so each of these gets a turn of its own. */
const largeText = 256 * 1024;

/** Resolves in another turn of the event loop where a value is large, at once where it is not. */
export const turnForLarge = async (clock: Pick<Clock, 'after'>, value: unknown): Promise<void> => {
  if (isLargerThan(value, largeText)) await nextTurn(clock);
};
