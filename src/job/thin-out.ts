import { conflationKey } from '../protocol/frames/conflation-key.js';
import type { Frame } from '../protocol/frames/frame.js';

/** A frame that is kept. */
export interface KeptFrame {
  /** Counts through the frames of its job. */
  readonly number: number;
  readonly frame: Frame;
  readonly bytes: number;
}

/**
 * Drops as many frames as it takes until no more than `maxBytes` are left, and leaves the others in their order.
 *
 * Pictures go first that a newer one of the same node has replaced, then progress and progress texts that were replaced
 * alike, then the rest; in each group the oldest first.
 */
export const thinOut = (kept: readonly KeptFrame[], maxBytes: number): KeptFrame[] => {
  let excess = kept.reduce((sum, { bytes }) => sum + bytes, 0) - maxBytes;
  const newest = new Map(kept.map((one) => [conflationKey(one.frame), one]));
  const isReplaced = (one: KeptFrame): boolean => {
    const key = conflationKey(one.frame);
    return key !== undefined && newest.get(key) !== one;
  };
  const groups: readonly ((one: KeptFrame) => boolean)[] = [
    (one) => one.frame._tag === 'Preview' && isReplaced(one),
    isReplaced,
    () => true,
  ];
  return groups.reduce(
    (rest, drops) =>
      rest.filter((one) => {
        if (excess <= 0 || !drops(one)) return true;
        excess -= one.bytes;
        return false;
      }),
    [...kept],
  );
};
