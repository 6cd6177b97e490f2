import { expect, it } from 'vitest';
import { isIn, type KeyRange } from '../../../src/server/gateway/store/keys.js';
import { type Entry, type Page, pagesOf, type View } from '../../../src/server/gateway/store/view.js';

/** Reads all pages of a range in a table with so many entries: their sizes, and how many reads that took. */
const pagesOfMany = async (count: number, range: KeyRange = {}) => {
  const entries = Array.from({ length: count }, (_, at): Entry => [String(at).padStart(4, '0'), '']);
  let reads = 0;
  const page = ({ limit, ...asked }: Page): Promise<readonly Entry[]> => {
    reads += 1;
    const found = entries.filter(([key]) => isIn(key, asked));
    return Promise.resolve((asked.reverse === true ? found.toReversed() : found).slice(0, limit));
  };
  const sizes: number[] = [];
  for await (const one of pagesOf({ page } as View, range)) sizes.push(one.length);
  return { sizes, reads };
};

it.each([
  [0, [], 1],
  [3, [3], 1],
  [499, [499], 1],
  [500, [500], 2],
  [1_203, [500, 500, 203], 3],
])(
  '%i entries come page by page, and nothing is read after a page that is not full',
  async (count, sizes, reads) => {
    expect(await pagesOfMany(count)).toEqual({ sizes, reads });
  },
);

it.each<readonly [KeyRange, readonly number[]]>([
  [{ gte: '0100', lt: '0900' }, [500, 300]],
  [{ gt: '0100', lte: '0900' }, [500, 300]],
  [{ gte: '0100', lt: '0900', reverse: true }, [500, 300]],
  [{ gt: '0100', lte: '0900', reverse: true }, [500, 300]],
])('the pages of %j have what is between its bounds', async (range, sizes) => {
  expect((await pagesOfMany(1_203, range)).sizes).toEqual(sizes);
});
