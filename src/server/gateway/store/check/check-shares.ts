import { below } from '../keys.js';
import { compareKeys, compareValue, type Repairs } from './repairs.js';
import { holderKeys, noShare, type Share, shareKey } from '../shares.js';
import { pagesOf, type View } from '../view.js';
import type { StoredJob } from '../job-values.js';

/** Checks what the store says of the shares of owners, which follows from their jobs. */
export const checkShares = async (
  view: View,
  repairs: Repairs,
  jobs: readonly StoredJob[],
): Promise<void> => {
  const shares = new Map<string, Share>();
  for (const { record, size } of jobs) {
    const share = shares.get(record.owner) ?? noShare;
    shares.set(record.owner, { jobs: share.jobs + 1, size: share.size + size });
  }
  const own = [...shares].flatMap(([owner, share]) => holderKeys(owner, share));
  await compareKeys(view, repairs, 'holder', new Set(own));
  const expected = new Set([...shares.keys()].map(shareKey));
  for await (const page of pagesOf(view, below('share'))) {
    for (const [key] of page) {
      if (expected.has(key)) continue;
      repairs.tell(`The value ${key} was of an owner without a job.`);
      await repairs.remove(key);
    }
  }
  for (const [owner, share] of shares) await compareValue(view, repairs, shareKey(owner), share);
};
