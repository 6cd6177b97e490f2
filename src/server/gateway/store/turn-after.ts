import { nextTurn } from '../../../core/platform/next-turn.js';
import { realClock } from '../../../core/platform/clock.js';

/** What has more characters takes long to write, to read and to sum up. */
const largeText = 256 * 1024;

/** Resolves in another turn of the event loop where a text is large. */
export const turnAfter = async ({ length }: string): Promise<void> => {
  if (length > largeText) await nextTurn(realClock);
};
