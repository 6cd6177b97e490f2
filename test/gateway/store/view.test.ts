import { expect, it } from 'vitest';
import { type Entry, type Page, pagesOf, type View } from '../../../src/server/gateway/store/view.js';

/** Reads all pages of a table with so many entries: their sizes, and how many reads that took. */
const pagesOfMany = async (count: number) => {
  const entries = Array.from({ length: count }, (_, at): Entry => [String(at).padStart(4, '0'), '']);
  let reads = 0;
  const page = ({ gt = '', limit }: Page): Promise<readonly Entry[]> => {
    reads += 1;
    return Promise.resolve(entries.filter(([key]) => key > gt).slice(0, limit));
  };
  const sizes: number[] = [];
  for await (const one of pagesOf({ page } as View, {})) sizes.push(one.length);
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
