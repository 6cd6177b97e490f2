import type { KeyRange } from './keys.js';
import { readStoredInTurns } from './stored-value.js';

/** A key, and the text that stands below it. */
export type Entry = readonly [key: string, text: string];

/** A part of the keys of a range: at most `limit` of them. */
export interface Page extends KeyRange {
  readonly limit: number;
}

/** What a store holds at one moment. */
export interface View {
  /** The texts of keys, undefined for a key that is not there. */
  readonly texts: (keys: readonly string[]) => Promise<readonly (string | undefined)[]>;
  /** The entries of a range, in its order. */
  readonly page: (page: Page) => Promise<readonly Entry[]>;
  /** Gets the key of a value that can't be read. */
  readonly damaged: (key: string) => void;
}

/** Reads values; one that is not there, or that can't be read, which the view reports, is undefined. */
export const getMany = async <Value>(
  view: View,
  keys: readonly string[],
): Promise<readonly (Value | undefined)[]> => {
  const values: (Value | undefined)[] = [];
  for (const [at, text] of (await view.texts(keys)).entries()) {
    const key = keys[at] ?? '';
    const read = text === undefined ? undefined : await readStoredInTurns(key, text);
    if (text !== undefined && read === undefined) view.damaged(key);
    values.push(read?.value as Value | undefined);
  }
  return values;
};

/** Reads a value as {@link getMany} does. */
export const get = async <Value>(view: View, key: string): Promise<Value | undefined> => {
  const [value] = await getMany<Value>(view, [key]);
  return value;
};

/** Whether something stands below a key, also where it can't be read. */
export const has = async (view: View, key: string): Promise<boolean> => {
  const [text] = await view.texts([key]);
  return text !== undefined;
};

/** How many entries are read at once. */
const pageSize = 500;

/** All entries of a range, page by page. */
export async function* pagesOf(view: View, range: KeyRange): AsyncGenerator<readonly Entry[]> {
  let rest: KeyRange = range;
  for (;;) {
    const page = await view.page({ ...rest, limit: pageSize });
    if (page.length > 0) yield page;
    const last = page.at(-1)?.[0];
    if (last === undefined || page.length < pageSize) return;
    const { gte, gt, lt, lte, ...others } = rest;
    rest =
      others.reverse === true
        ? { ...others, ...(gt === undefined ? { gte } : { gt }), lt: last }
        : { ...others, gt: last, ...(lt === undefined ? { lte } : { lt }) };
  }
}
