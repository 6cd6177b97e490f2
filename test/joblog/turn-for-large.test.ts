import { expect, it } from 'vitest';
import { turnForLarge } from '../../src/server/joblog/turn-for-large.js';

/** How many turns it waits for. */
const turnsFor = async (characters: number): Promise<number> => {
  let turns = 0;
  const after = (_: number, work: () => void) => {
    turns += 1;
    work();
    return () => undefined;
  };
  await turnForLarge({ after }, 'x'.repeat(characters));
  return turns;
};

it('lets a value of more than 256 KiB wait for a turn of its own, and no other', async () => {
  // A text counts with its quotes.
  const most = 256 * 1024 - 2;
  expect([await turnsFor(1), await turnsFor(most), await turnsFor(most + 1)]).toEqual([0, 0, 1]);
});
