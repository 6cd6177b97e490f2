import { nextTurn } from '../../../core/platform/next-turn.js';
import { realClock } from '../../../core/platform/clock.js';

/** A longer text takes long to read, to write and to send, so each of these gets a turn of the event loop. */
const largeText = 256 * 1024;

/** Resolves in another turn of the event loop where one of the texts is large, at once where none is. */
export const turnForLarge = async (...texts: readonly string[]): Promise<void> => {
  if (texts.some(({ length }) => length > largeText)) await nextTurn(realClock);
};
