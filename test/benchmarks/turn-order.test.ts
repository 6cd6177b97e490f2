import { describe, expect, it } from 'vitest';
import { turnOrder } from '../../benchmarks/tools/turn-order.js';

describe('turnOrder', () => {
  it('gives each name each place equally often', () => {
    const names = ['a', 'b', 'c'];
    const rounds = Array.from({ length: 6 }, (_, round) => turnOrder(names, round));
    for (const name of names) {
      for (let place = 0; place < 3; place += 1) {
        expect(rounds.filter((round) => round[place] === name)).toHaveLength(2);
      }
    }
  });

  it('turns two names round every time', () => {
    const rounds = [0, 1, 2, 3].map((round) => turnOrder(['a', 'b'], round).join(''));
    expect(rounds).toEqual(['ab', 'ba', 'ba', 'ab']);
  });
});
