import { expect, it } from 'vitest';
import { derivedFigures, figures } from './board.js';
import { nameOf, oldNumbers } from './old-numbers.js';

const ids = [...figures, ...derivedFigures].map(({ id }) => id);

it('names every figure by words, which no failure mode is named by', () => {
  for (const id of ids) expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*$/u);
  expect(new Set(ids).size).toBe(ids.length);
});

it('finds a figure of the board by its old number, each by one', () => {
  const found = Object.keys(oldNumbers).map(nameOf);
  expect(ids).toEqual(expect.arrayContaining(found));
  expect(new Set(found).size).toBe(found.length);
});

it.each([
  ['D1', 'killed-queue-processes'],
  ['D8', 'queue-throughput'],
  ['G9', 'watched-in-a-page'],
  ['S1', 'random-fault-schedules'],
  ['W8', 'workflows-in-code'],
  ['S8 cases', 'secret-cases'],
  ['takeover', 'takeover'],
  ['client', 'client'],
])('takes %s for %s', (word, name) => {
  expect(nameOf(word)).toBe(name);
});
