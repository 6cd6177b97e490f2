import type { Change } from './change.js';
import { below, type KeyRange, keyOf, partsOf, type Table } from './keys.js';
import { get, type View } from './view.js';

/** How much each owner has of a table: the oldest of the biggest holder makes room. */
export interface Shares<Measure extends string> {
  /** The table of what each owner has. */
  readonly table: Table;
  /** The table of owners in the order of what they have, by measure; its values say nothing. */
  readonly holders: Table;
  /** The measures by which owners are put in order; an owner without any of the first one has nothing. */
  readonly measures: readonly [Measure, ...Measure[]];
}

/** What an owner has, by measure. */
export type Share<Measure extends string> = Readonly<Record<Measure, number>>;

/** The shares of jobs: how many there are, and the characters of their records. */
export const jobShares = {
  ...{ table: 'share', holders: 'holder', measures: ['jobs', 'size'] },
} as const satisfies Shares<'jobs' | 'size'>;

/** The shares of events: how many there are, and their characters. */
export const eventShares = {
  ...{ table: 'log-share', holders: 'log-holder', measures: ['events', 'size'] },
} as const satisfies Shares<'events' | 'size'>;

/** The shares of uploaded files. */
export const assetShares = {
  ...{ table: 'asset-share', holders: 'asset-holder', measures: ['assets'] },
} as const satisfies Shares<'assets'>;

/** What an owner without anything has. */
export const noShare = <Measure extends string>({ measures }: Shares<Measure>): Share<Measure> =>
  Object.fromEntries(measures.map((measure) => [measure, 0])) as Share<Measure>;

/** The sum of two shares. */
export const addedShare = <Measure extends string>(
  { measures }: Shares<Measure>,
  one: Share<Measure>,
  other: Share<Measure>,
): Share<Measure> =>
  Object.fromEntries(measures.map((measure) => [measure, one[measure] + other[measure]])) as Share<Measure>;

/** The keys that have an owner in the order of what it has. */
export const holderKeys = <Measure extends string>(
  { holders, measures }: Shares<Measure>,
  owner: string,
  share: Share<Measure>,
): readonly string[] => measures.map((measure) => keyOf(holders, measure, share[measure], owner));

/** What an owner has. */
export const shareOf = async <Measure extends string>(
  view: View,
  shares: Shares<Measure>,
  owner: string,
): Promise<Share<Measure>> =>
  (await get<Share<Measure>>(view, keyOf(shares.table, owner))) ?? noShare(shares);

/** Changes what an owner has. */
export const changeShare = async <Measure extends string>(
  change: Change,
  shares: Shares<Measure>,
  owner: string,
  by: Share<Measure>,
): Promise<void> => {
  const before = await shareOf(change, shares, owner);
  for (const key of holderKeys(shares, owner, before)) change.remove(key);
  const after = addedShare(shares, before, by);
  if (after[shares.measures[0]] <= 0) {
    change.remove(keyOf(shares.table, owner));
    return;
  }
  change.put(keyOf(shares.table, owner), after);
  for (const key of holderKeys(shares, owner, after)) change.put(key, null);
};

/** Owners by what they have, the one that has most first. */
export async function* biggestHolders<Measure extends string>(
  view: View,
  { holders }: Shares<Measure>,
  measure: Measure,
): AsyncGenerator<string> {
  let range: KeyRange = below(holders, measure);
  for (;;) {
    const [biggest] = await view.page({ ...range, reverse: true, limit: 1 });
    if (biggest === undefined) return;
    yield partsOf(biggest[0])?.at(-1) ?? '';
    range = { ...range, lt: biggest[0] };
  }
}
