import { take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { each } from '../../src/streams/each.js';
import { marbles } from '../helpers/marbles.js';
import { record } from '../helpers/record.js';

describe('each', () => {
  it('emits all values at once, and completes', () => {
    marbles(({ expectObservable }) => {
      expectObservable(each(['a', 'b'])).toBe('(ab|)');
      expectObservable(each([])).toBe('|');
    });
  });

  it('stops reading with its subscriber', () => {
    let read = 0;
    const endless = function* () {
      for (;;) yield (read += 1);
    };
    expect(record(each(endless()).pipe(take(3))).values).toStrictEqual([1, 2, 3]);
    expect(read).toBe(3);
  });
});
