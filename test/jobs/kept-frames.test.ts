import { conflationKey } from '../../src/core/protocol/frames/conflation-key.js';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import { frameBytes, type KeptFrame, thinOut } from '../../src/client/jobs/kept-frames.js';

const progressState = (nodes: number): Frame => ({
  _tag: 'Event',
  type: 'progress_state',
  promptId: 'p',
  data: {
    prompt_id: 'p',
    nodes: Object.fromEntries(
      Array.from({ length: nodes }, (_, at) => [
        String(at),
        { node_id: String(at), value: at, max: 0.5, state: 'running', prompt_id: 'p' },
      ]),
    ),
  },
});

describe('frameBytes', () => {
  it('counts a picture and its metadata', () => {
    const picture = (size: number, metadata: object): Frame => ({
      _tag: 'Preview',
      mediaType: 'image/png',
      image: new Uint8Array(size),
      metadata: { ...metadata },
    });
    expect(frameBytes(picture(1_000, {})) - frameBytes(picture(0, {}))).toBe(1_000);
    expect(frameBytes(picture(0, { text: 'x'.repeat(500) }))).toBeGreaterThan(1_000);
  });

  it('counts two bytes for each unit of a text, wherever it stands', () => {
    const text = (length: number): Frame => ({ _tag: 'Text', nodeId: '1', text: 'x'.repeat(length) });
    expect(frameBytes(text(1_000)) - frameBytes(text(0))).toBe(2_000);
  });

  it('counts the bytes of a binary frame of an unknown type', () => {
    const unknown: Frame = { _tag: 'Unknown', kind: 'binary', type: 9, bytes: new Uint8Array(2_000) };
    expect(frameBytes(unknown)).toBeGreaterThan(2_000);
  });

  it('counts what is the frame’s own, also where a page has put something on all objects', () => {
    const frame = progressState(3);
    const before = frameBytes(frame);
    let after = NaN;
    Object.defineProperty(Object.prototype, 'extension', { value: {}, enumerable: true, configurable: true });
    try {
      after = frameBytes(frame);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'extension');
    }
    expect(after).toBe(before);
  });

  it('counts each node of a snapshot alike', () => {
    const [none, few, many] = [0, 10, 1_000].map((nodes) => frameBytes(progressState(nodes))) as [
      number,
      number,
      number,
    ];
    const each = (few - none) / 10;
    expect(each).toBeGreaterThan(100);
    // Ids of more digits are longer texts.
    expect((many - none) / 1_000 / each).toBeCloseTo(1, 1);
  });

  it.each([null, undefined, true])('takes %s for nothing', (value) => {
    const frame = (data: object): Frame => ({
      _tag: 'Unknown',
      kind: 'text',
      type: 'x',
      message: { ...data },
    });
    expect(frameBytes(frame({ value })) - frameBytes(frame({}))).toBe(8);
  });
});

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
