import { addedShare, holderKeys, noShare, type Share, type Shares } from '../shares.js';
import { below, keyOf } from '../keys.js';
import { compareKeys, compareValue, type Repairs } from './repairs.js';
import { pagesOf, type View } from '../view.js';

/** Something that an owner has, and how much it counts. */
export interface Held<Measure extends string> {
  readonly owner: string;
  readonly share: Share<Measure>;
}

/** Checks what the store says of the shares of owners, which follows from what they have. */
export const checkShares = async <Measure extends string>(
  view: View,
  repairs: Repairs,
  shares: Shares<Measure>,
  held: Iterable<Held<Measure>>,
): Promise<void> => {
  const byOwner = new Map<string, Share<Measure>>();
  for (const { owner, share } of held)
    byOwner.set(owner, addedShare(shares, byOwner.get(owner) ?? noShare(shares), share));
  const own = [...byOwner].flatMap(([owner, share]) => holderKeys(shares, owner, share));
  await compareKeys(view, repairs, shares.holders, new Set(own));
  const expected = new Set([...byOwner.keys()].map((owner) => keyOf(shares.table, owner)));
  for await (const page of pagesOf(view, below(shares.table))) {
    for (const [key] of page) {
      if (expected.has(key)) continue;
      repairs.tell(`The value ${key} was of an owner that has nothing.`);
      await repairs.remove(key);
    }
  }
  for (const [owner, share] of byOwner) await compareValue(view, repairs, keyOf(shares.table, owner), share);
};
