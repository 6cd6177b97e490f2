import { expect, it } from 'vitest';
import { flatHeaders } from '../../../src/core/platform/node/request-sender.js';

it('joins headers that came several times, and leaves out those that did not come', () => {
  expect(
    flatHeaders({ one: 'a', empty: '', several: ['a', 'b, c'], none: undefined, never: [] }),
  ).toStrictEqual({ one: 'a', empty: '', several: 'a, b, c', never: '' });
});
