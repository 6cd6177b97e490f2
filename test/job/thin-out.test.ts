import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KeptFrame, thinOut } from '../../src/job/thin-out.js';
import { conflationKey } from '../../src/protocol/frames/conflation-key.js';
import type { Frame } from '../../src/protocol/frames/frame.js';

const picture = (nodeId: string): Frame => ({
  _tag: 'Preview',
  mediaType: 'image/jpeg',
  image: new Uint8Array(1),
  nodeId,
});
const text = (nodeId: string): Frame => ({ _tag: 'Text', nodeId, text: 'x' });
const event = (node: string): Frame => ({ _tag: 'Event', type: 'executing', data: { node } });

const keep = (frames: readonly Frame[], bytes = 10): readonly KeptFrame[] =>
  frames.map((frame, index) => ({ number: index + 1, frame, bytes }));
const numbers = (kept: readonly KeptFrame[]): readonly number[] => kept.map(({ number }) => number);

describe('thinOut', () => {
  const frames = keep([
    picture('a'),
    event('a'),
    text('a'),
    picture('b'),
    text('a'),
    picture('a'),
    event('b'),
  ]);

  it.each([
    [70, [1, 2, 3, 4, 5, 6, 7]],
    [69, [2, 3, 4, 5, 6, 7]],
    [60, [2, 3, 4, 5, 6, 7]],
    [50, [2, 4, 5, 6, 7]],
    [40, [4, 5, 6, 7]],
    [10, [7]],
    [0, []],
  ])(
    'keeps within %i bytes: replaced pictures go first, then replaced progress, then the oldest',
    (bytes, left) => {
      expect(numbers(thinOut(frames, bytes))).toEqual(left);
    },
  );

  it('drops the oldest replaced picture before newer ones', () => {
    expect(numbers(thinOut(keep(Array.from({ length: 4 }, () => picture('a'))), 25))).toEqual([3, 4]);
  });

  const someFrames = fc
    .array(
      fc.record({
        frame: fc
          .tuple(fc.constantFrom(picture, text, event), fc.constantFrom('a', 'b'))
          .map(([make, node]) => make(node)),
        bytes: fc.nat(20),
      }),
    )
    .map((kept) => kept.map((one, index): KeptFrame => ({ ...one, number: index + 1 })));
  const total = (kept: readonly KeptFrame[]): number => kept.reduce((sum, { bytes }) => sum + bytes, 0);

  it('leaves a part in its order, within the bound, and drops no more than it has to', () => {
    fc.assert(
      fc.property(someFrames, fc.nat(300), (kept, maxBytes) => {
        const left = thinOut(kept, maxBytes);
        expect(left).toEqual(kept.filter((one) => left.includes(one)));
        expect(total(left)).toBeLessThanOrEqual(maxBytes);
        const dropped = kept.filter((one) => !left.includes(one));
        const least = Math.min(...dropped.map(({ bytes }) => (bytes === 0 ? Infinity : bytes)));
        const most = Math.max(0, ...dropped.map(({ bytes }) => bytes));
        if (dropped.length > 0)
          expect(total(left) + Math.max(most, Math.min(least, most))).toBeGreaterThan(maxBytes);
      }),
    );
  });

  it('drops the newest of a node only once nothing replaced is left', () => {
    fc.assert(
      fc.property(someFrames, fc.nat(300), (kept, maxBytes) => {
        const left = thinOut(kept, maxBytes);
        const newest = new Map(kept.map((one) => [conflationKey(one.frame), one]));
        const isReplaced = (one: KeptFrame): boolean => {
          const key = conflationKey(one.frame);
          return key !== undefined && newest.get(key) !== one;
        };
        if (kept.some((one) => !isReplaced(one) && !left.includes(one))) {
          expect(left.filter(isReplaced)).toEqual([]);
        }
      }),
    );
  });
});
