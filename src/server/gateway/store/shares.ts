import type { Change } from './change.js';
import { keyOf } from './keys.js';
import { get, type View } from './view.js';

/** Below `share!OWNER`: what the index holds of an owner's jobs. */
export interface Share {
  readonly jobs: number;
  /** The characters of their records. */
  readonly size: number;
}

/** By what owners are put in order. */
export const measures = ['jobs', 'size'] as const;

/** One of the two bounds of an index. */
export type Measure = (typeof measures)[number];

export const noShare: Share = { jobs: 0, size: 0 };

export const shareKey = (owner: string): string => keyOf('share', owner);

/** The keys that have owners in the order of what they hold; their values say nothing. */
export const holderKeys = (owner: string, share: Share): readonly string[] =>
  measures.map((measure) => keyOf('holder', measure, share[measure], owner));

/** What the index holds of an owner. */
export const shareOf = async (view: View, owner: string): Promise<Share> =>
  (await get<Share>(view, shareKey(owner))) ?? noShare;

/** Changes what the index holds of an owner. */
export const changeShare = async (change: Change, owner: string, by: Share): Promise<void> => {
  const before = await shareOf(change, owner);
  for (const key of holderKeys(owner, before)) change.remove(key);
  const after: Share = { jobs: before.jobs + by.jobs, size: before.size + by.size };
  if (after.jobs <= 0) {
    change.remove(shareKey(owner));
    return;
  }
  change.put(shareKey(owner), after);
  for (const key of holderKeys(owner, after)) change.put(key, null);
};
