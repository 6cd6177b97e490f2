import type { Clock } from '../../../core/platform/platform.js';
import { charactersOf, isLargerThan } from '../../../core/protocol/json/is-larger-than.js';
import { nextTurn } from '../../../core/platform/next-turn.js';
import { realClock } from '../../../core/platform/clock.js';

/** A longer text takes long to read, to write and to sum up, so each of these gets a turn of the event loop. */
const largeText = 256 * 1024;

export const isLargeText = ({ length }: string): boolean => length > largeText;

/** The characters that a large value has as a text, at a guess; 0 for one that is not large. */
export const largeCharacters = (value: unknown): number =>
  isLargerThan(value, largeText) ? charactersOf(value) : 0;

/** Resolves in another turn of the event loop where a value is large, at once where it is not. */
export const turnForLarge = async (clock: Pick<Clock, 'after'>, value: unknown): Promise<void> => {
  if (isLargerThan(value, largeText)) await nextTurn(clock);
};

/** Resolves in another turn where a text of a store is large. It waits for no time, so it needs none but the platform's clock. */
export const turnForLargeText = async (text: string): Promise<void> => {
  if (isLargeText(text)) await nextTurn(realClock);
};
