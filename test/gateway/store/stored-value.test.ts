import { expect, it, onTestFinished, vi } from 'vitest';
import { readStored, readStoredInTurns, storedText } from '../../../src/server/gateway/store/stored-value.js';
import { realClock } from '../../../src/core/platform/clock.js';
import { isIn, keyOf } from '../../../src/server/gateway/store/keys.js';

/** As docs/stores.md describes it: FNV-1a of 32 bits over the code units of both. */
it.each([
  ['a', null, '7089c3c9 null'],
  ['ab', null, '0f7a11bb null'],
  ['job!a', { seed: 2n ** 64n - 1n }, 'c25e71e2 {"seed":18446744073709551615}'],
])('K3: the value below %s is JSON behind a sum, which a later version reads', (key, value, text) => {
  expect(storedText(key, value)).toBe(text);
  expect(readStored(key, text)).toEqual({ value });
  expect(readStored(`${key}!`, text)).toBeUndefined();
});

it('K3: a text whose sum is right and that is no JSON is no value', () => {
  // An empty text below an empty key has the sum that FNV-1a begins with.
  expect(readStored('', '811c9dc5 ')).toBeUndefined();
  expect(readStored('', '811c9dc5')).toBeUndefined();
});

it('K3: the parts of a key are as docs/stores.md describes them', () => {
  expect(keyOf('event', 'a!b"c', 7)).toBe('event!a\\u0021b\\"c!0000000000000007');
  const numbers = [-5, 0.5, 1e300, Number.MAX_SAFE_INTEGER - 1];
  expect(numbers.map((one) => keyOf('job-expiry', one).slice('job-expiry!'.length))).toEqual([
    ...['0000000000000000', '0000000000000001', '9007199254740991', '9007199254740990'],
  ]);
});

it('a key is in a range by each of its bounds', () => {
  const keys = ['a', 'b', 'c', 'd'];
  const within = (range: Parameters<typeof isIn>[1]) => keys.filter((key) => isIn(key, range)).join('');
  expect([{}, { gte: 'b' }, { gt: 'b' }, { lt: 'c' }, { lte: 'c' }].map(within)).toEqual([
    ...['abcd', 'bcd', 'cd', 'ab', 'abc'],
  ]);
  expect(within({ gt: 'a', lt: 'd' })).toBe('bc');
});

it('T3 a large text is summed up and parsed in turns of their own, and a small one at once', async () => {
  const turns = vi.spyOn(realClock, 'after');
  onTestFinished(() => turns.mockRestore());
  const read = async (characters: number, key = 'a') => {
    turns.mockClear();
    const value = await readStoredInTurns(key, storedText('a', 'x'.repeat(characters)));
    return [value !== undefined, turns.mock.calls.length];
  };
  expect([await read(7), await read(300_000), await read(300_000, 'b')]).toEqual([
    ...[
      [true, 0],
      [true, 2],
      // What is no value is not parsed.
      [false, 1],
    ],
  ]);
});
