import { describe, expect, it } from 'vitest';
import { addLatest, listsByKey } from '../../src/core/protocol/collections.js';

describe('listsByKey', () => {
  it('keeps the values of each key in their order', () => {
    const lists = listsByKey<number>();
    lists.add('a', 1);
    lists.add('b', 2);
    lists.add('a', 3);
    expect(lists.of('a')).toEqual([1, 3]);
    expect(lists.of('c')).toEqual([]);
    expect(lists.all()).toEqual([1, 3, 2]);
    expect(lists.size).toBe(2);
  });

  it('forgets a key with its last value', () => {
    const lists = listsByKey<number>();
    lists.add('a', 1);
    lists.add('a', 2);
    lists.remove('a', 1);
    expect(lists.size).toBe(1);
    lists.remove('a', 2);
    expect(lists.of('a')).toEqual([]);
    expect(lists.size).toBe(0);
  });

  it('changes nothing by what is not there', () => {
    const lists = listsByKey<number>();
    lists.add('a', 1);
    lists.remove('a', 2);
    lists.remove('b', 1);
    expect(lists.all()).toEqual([1]);
  });

  it('never changes a list that was given out', () => {
    const lists = listsByKey<number>();
    lists.add('a', 1);
    lists.add('a', 2);
    const seen: number[] = [];
    for (const value of lists.of('a')) {
      seen.push(value);
      lists.remove('a', value);
      lists.add('a', value + 10);
    }
    expect(seen).toEqual([1, 2]);
    expect(lists.of('a')).toEqual([11, 12]);
  });
});

it('addLatest drops the oldest value beyond so many, and no other', () => {
  const values = new Set<string>();
  for (const value of ['a', 'b', 'a', 'c']) addLatest(values, value, 2);
  expect([...values]).toEqual(['b', 'c']);
});
