import type { Clock } from '../../core/platform/platform.js';
import { charactersOf, isLargerThan } from '../../core/protocol/json/is-larger-than.js';
import { nextTurn } from '../../core/platform/next-turn.js';
import { realClock } from '../../core/platform/clock.js';

/** A longer text takes long to read, to write, to sum up and to send, so each of these gets a turn of the event loop. */
const largeText = 256 * 1024;

/** Whether a text is large. */
export const isLargeText = ({ length }: string): boolean => length > largeText;

/** The characters that a large value has as a text, at a guess; 0 for one that is not large. */
export const largeCharacters = (value: unknown): number =>
  isLargerThan(value, largeText) ? charactersOf(value) : 0;

/** Resolves in another turn of the event loop where a value is large, at once where it is not. */
export const turnForLarge = async (clock: Pick<Clock, 'after'>, value: unknown): Promise<void> => {
  if (isLargerThan(value, largeText)) await nextTurn(clock);
};

/**
 * Resolves in another turn where one of these texts of a store is large, at once where none is. It waits for no time, so it needs none but
 * the platform's clock.
 */
export const turnForLargeText = async (...texts: readonly string[]): Promise<void> => {
  if (texts.some(isLargeText)) await nextTurn(realClock);
};
