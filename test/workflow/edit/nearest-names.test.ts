import { expect, it } from 'vitest';
import { likeIt, nearestNames } from '../../../src/workflow/edit/nearest-names.js';

it('the names that are like one come nearest first, and three at most', () => {
  const names = ['text', 'text_g', 'text_l', 'text_x', 'seed'];
  expect(nearestNames('text', names)).toEqual(['text', 'text_g', 'text_l']);
  expect(nearestNames('txt', ['seed', 'text'])).toEqual(['text']);
  expect(nearestNames('steps', ['seed', 'cfg'])).toEqual([]);
});

it('a name is like another one whatever its case, and the spaces around it', () => {
  expect(nearestNames(' SEED ', ['seed', 'deed'])).toEqual(['seed']);
  expect(nearestNames('seed', [' Seed'])).toEqual([' Seed']);
});

it('a name counts once, by two in five of its pairs of letters at least', () => {
  expect(nearestNames('ab', ['ab', 'ab'])).toEqual(['ab']);
  // Of ^abcd$ and ^abxy$ two of five pairs are the same, of ^abcd$ and ^axyz$ one.
  expect([nearestNames('abcd', ['abxy']), nearestNames('abcd', ['axyz'])]).toEqual([['abxy'], []]);
});

it('names that are much less like it than the nearest are left out', () => {
  expect(nearestNames('abcd', ['abcd', 'abxy', 'abcx'])).toEqual(['abcd']);
  expect(nearestNames('abcdef', ['abcdef', 'abcdex'])).toEqual(['abcdef', 'abcdex']);
});

it('of long names the first 200 letters count, and of many names the first ones', () => {
  const long = 'x'.repeat(200);
  expect(nearestNames(`${long}abc`, [`${long}def`])).toEqual([`${long}def`]);
  const others = Array.from({ length: 499 }, (_, nth) => `${nth}`.padEnd(200, '-'));
  expect(nearestNames('wanted', [...others, 'wanted'])).toEqual(['wanted']);
  expect(nearestNames('wanted', [...others, 'y'.repeat(200), 'wanted'])).toEqual([]);
  // A name counts with as many letters as are compared.
  expect(nearestNames('wanted', ['y'.repeat(200_000), 'wanted'])).toEqual(['wanted']);
});

it('a sentence ends with what is like a name', () => {
  expect([likeIt([]), likeIt(['a']), likeIt(['a', 'b"'])]).toEqual([
    ...['', '; "a" is like it', '; "a", "b\\"" are like it'],
  ]);
});
