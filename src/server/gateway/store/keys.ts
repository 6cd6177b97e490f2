/**
 * A key of the store: the name of a table and the parts after it, joined by `!`, which no part holds (docs/stores.md).
 *
 * A text is a part as JSON writes it, so that every text has its own, lone surrogates included. A number is a part of 16 digits, so that
 * keys are in the order of their numbers.
 */
export const keyOf = (table: Table, ...parts: readonly (string | number)[]): string =>
  [table, ...parts.map(partOf)].join('!');

/** The tables of the store, which docs/stores.md describes. */
export type Table =
  | 'asset'
  | 'asset-expiry'
  | 'asset-hash'
  | 'asset-holder'
  | 'asset-of'
  | 'asset-share'
  | 'damaged'
  | 'event'
  | 'event-of'
  | 'format'
  | 'holder'
  | 'image'
  | 'job'
  | 'job-expiry'
  | 'job-of'
  | 'job-order'
  | 'key'
  | 'key-forgotten'
  | 'log'
  | 'log-holder'
  | 'log-of'
  | 'log-share'
  | 'owner'
  | 'progress'
  | 'rest'
  | 'share'
  | 'submission'
  | 'template'
  | 'template-body'
  | 'total'
  | 'webhook'
  | 'workflow';

/** Keys from one to another, with one bound at each end, in the order of the store or the other way round. */
export interface KeyRange {
  readonly gte?: string;
  readonly gt?: string;
  readonly lt?: string;
  readonly lte?: string;
  readonly reverse?: boolean;
}

/** All keys that begin with these parts and have others after them. */
export const below = (table: Table, ...parts: readonly (string | number)[]): KeyRange => {
  const key = keyOf(table, ...parts);
  // The sign after `!` is `"`, with which no part goes on.
  return { gte: `${key}!`, lt: `${key}"` };
};

/** The parts of a key after its table; undefined for a key that {@link keyOf} does not make. */
export const partsOf = (key: string): readonly string[] | undefined => {
  try {
    const parts = key.split('!').slice(1);
    const texts = parts.map((part) => JSON.parse(`"${part}"`) as string);
    return texts.every((text, at) => parts[at] === partOf(text)) ? texts : undefined;
  } catch {
    return undefined;
  }
};

/** Whether a key is in a range. */
export const isIn = (key: string, { gte, gt, lt, lte }: KeyRange): boolean =>
  (gte === undefined || key >= gte) &&
  (gt === undefined || key > gt) &&
  (lt === undefined || key < lt) &&
  (lte === undefined || key <= lte);

const partOf = (part: string | number): string =>
  typeof part === 'number'
    ? String(Math.min(Math.max(Math.ceil(part), 0), Number.MAX_SAFE_INTEGER)).padStart(16, '0')
    : JSON.stringify(part).slice(1, -1).replaceAll('!', '\\u0021');
