import fc from 'fast-check';
import { anyCharacter } from '../helpers/any-character.js';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../src/core/protocol/frames/decode-frame.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import {
  encodeMessage,
  encodePreview,
  encodePreviewWithMetadata,
  encodeProgressText,
} from '../helpers/encode-frame.js';
import { eventFixtures } from '../helpers/event-fixtures.js';
import { wireFrame } from '../helpers/frame-arbitraries.js';
import { mutateFrame, randomInts } from '../helpers/mutate-frame.js';
import { often, runs } from '../helpers/runs.js';

const image = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]);
const uuid = '6a1f0c52-7d3e-4b8a-9c1d-2e5f60718293';
const seeds: readonly (string | Uint8Array)[] = [
  ...eventFixtures.map(({ type, data }) => encodeMessage(type, data)),
  ...eventFixtures.map(({ type, data }) => new TextEncoder().encode(encodeMessage(type, data))),
  encodePreview(1, image),
  encodePreview(2, image),
  encodeProgressText('12', 'half way'),
  encodeProgressText('12', 'half way', uuid),
  encodePreviewWithMetadata({ node_id: '1', prompt_id: uuid, image_type: 'image/png' }, image),
];

/** What holds for any frame, from any input. */
const expectSound = (frame: Frame, wire: string | Uint8Array): void => {
  if (frame._tag === 'Preview') {
    const { buffer, byteOffset, length } = frame.image;
    const whole = wire as Uint8Array;
    const isView = buffer === whole.buffer && byteOffset + length === whole.byteOffset + whole.length;
    if (!isView || length === 0) throw new Error('not a view on the end of the frame');
  } else if (frame._tag === 'Malformed') {
    if (frame.size !== wire.length) throw new Error(`size ${frame.size} of ${wire.length}`);

    if (frame.sample.length > 80 || /[\0-\x1f\x7f-\x9f\u202a-\u202e]/.test(frame.sample))
      throw new Error('sample');
    if (frame.reason === '') throw new Error('no reason');
  } else if (frame._tag === 'Unknown' && frame.kind === 'binary') {
    if (frame.bytes !== wire) throw new Error('not the whole frame');
  }
  if (frame.promptId === '') throw new Error('an empty prompt id');
};

describe('law 1: decodeFrame is total', () => {
  it('D2: for any bytes, under each setting', () => {
    const anyBytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .tuple(fc.nat(5), fc.uint8Array({ maxLength: 200 }))
        .map(([type, rest]) => Uint8Array.of(0, 0, 0, type, ...rest)),
      fc
        .uint8Array({ maxLength: 200 })
        .map((rest) => encodePreview(1, Uint8Array.of(0xff, 0xd8, 0xff, ...rest))),
      fc
        .tuple(fc.constantFrom(3, 4), fc.nat(40), fc.uint8Array({ max: 127, maxLength: 60 }))
        .map(([type, length, rest]) => Uint8Array.of(0, 0, 0, type, 0, 0, 0, length, ...rest)),
    );
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(anyBytes, fc.constantFrom(true, false, undefined), (bytes, promptText) => {
        const frame = decodeFrame(bytes, { promptText });
        expectSound(frame, bytes);
        seen.set(frame._tag, (seen.get(frame._tag) ?? 0) + 1);
      }),
      { numRuns: runs(5000) },
    );
    for (const tag of ['Preview', 'Text', 'Unknown', 'Malformed'])
      expect(seen.get(tag)).toBeGreaterThan(often(20));
  });

  it('D6: for any text', () => {
    const anyText = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
      fc.json(),
      fc
        .tuple(
          fc.oneof(fc.constantFrom(...eventFixtures.map(({ type }) => type)), fc.constant('brand_new')),
          fc.jsonValue(),
        )
        .map(([type, data]) => encodeMessage(type, data)),
    );
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(anyText, (text) => {
        const frame = decodeFrame(text);
        expectSound(frame, text);
        seen.set(frame._tag, (seen.get(frame._tag) ?? 0) + 1);
      }),
      { numRuns: runs(5000) },
    );
    for (const tag of ['Event', 'Unknown', 'Malformed']) expect(seen.get(tag)).toBeGreaterThan(often(20));
  });

  it('D3: for spoilt frames, and the next good one is decoded', () => {
    const random = randomInts(20_261_121);
    const good = { wire: seeds[0] ?? '', json: JSON.stringify(decodeFrame(seeds[0] ?? '')) };
    const seen = new Map<string, number>();
    for (let run = 0; run < runs(100_000); run += 1) {
      const wire = mutateFrame(seeds[run % seeds.length] ?? '', random);
      const promptText = [true, false, undefined][random(3)];
      const frame = decodeFrame(wire, { promptText });
      expectSound(frame, wire);
      const kind = frame._tag === 'Event' ? frame.type : frame._tag;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      if (JSON.stringify(decodeFrame(good.wire)) !== good.json)
        throw new Error(`run ${run} spoilt the decoder`);
    }
    const kinds = [...eventFixtures.map(({ type }) => type), 'Preview', 'Text', 'Unknown', 'Malformed'];
    for (const kind of kinds) expect(seen.get(kind), kind).toBeGreaterThan(often(100));
  });

  it('and for spoilt frames of every generated kind', () => {
    fc.assert(
      fc.property(wireFrame, fc.integer(), ({ wire, promptText }, seed) => {
        const mutant = mutateFrame(wire, randomInts(seed));
        expectSound(decodeFrame(mutant, { promptText }), mutant);
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('law 1: the work is linear', () => {
  /** Counts how often a byte of the frame is read through the given view. */
  const countingReads = (bytes: Uint8Array): { readonly view: Uint8Array; readonly reads: () => number } => {
    let count = 0;
    const view = new Proxy(bytes, {
      get: (target, key) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) count += 1;
        return key === 'subarray'
          ? target.subarray.bind(target)
          : (Reflect.get(target, key, target) as unknown);
      },
    });
    return { view, reads: () => count };
  };

  it('reads of a preview the header alone, however large the picture', () => {
    const readsOf = (size: number, wire: (image: Uint8Array) => Uint8Array, picture: Uint8Array): number => {
      const image = new Uint8Array(size).fill(0x11);
      image.set(picture);
      const { view, reads } = countingReads(wire(image));
      expect(decodeFrame(view)._tag).toBe(picture.length > 0 ? 'Preview' : 'Unknown');
      return reads();
    };
    const noPicture = new Uint8Array(0);
    const plain = (picture: Uint8Array): Uint8Array => encodePreview(1, picture);
    const named = (picture: Uint8Array): Uint8Array => encodePreviewWithMetadata({ node_id: '1' }, picture);
    expect(readsOf(1024, plain, image)).toBe(4);
    expect(readsOf(4_194_304, plain, image)).toBe(4);
    expect(readsOf(1024, named, image)).toBe(8);
    expect(readsOf(4_194_304, named, image)).toBe(8);
    // The type is read once more for the frame.
    expect(readsOf(1024, plain, noPicture)).toBe(8);
    expect(readsOf(4_194_304, plain, noPicture)).toBe(8);
    expect(readsOf(1024, named, noPicture)).toBe(12);
    expect(readsOf(4_194_304, named, noPicture)).toBe(12);
  });

  it('decodes texts of ten megabytes, good and bad, without running out of stack', () => {
    const long = 'x'.repeat(10_000_000);
    expect(decodeFrame(encodeMessage('notification', { value: long }))).toMatchObject({ _tag: 'Event' });
    const values = (count: number): string =>
      `{"type":"x","data":["${long}",${'NaN,"\\"",'.repeat(count)}1]}`;
    expect(decodeFrame(values(100_000))).toMatchObject({ _tag: 'Unknown' });
    expect(decodeFrame(values(1_000_000))).toMatchObject({ _tag: 'Malformed' });
    expect(decodeFrame(`${'{"token":"'.repeat(1_000_000)}NaN`)).toMatchObject({
      _tag: 'Malformed',
      size: 10_000_003,
    });
    expect(decodeFrame('\u001b['.repeat(5_000_000))).toMatchObject({ _tag: 'Malformed', size: 10_000_000 });
    expect(decodeFrame('['.repeat(1_000_000))).toMatchObject({ _tag: 'Malformed' });
    const nodes = Object.fromEntries(Array.from({ length: 100_000 }, (_, node) => [node, { max: 'x' }]));
    const reason = 'progress_state: nodes.0.max should be a number or null';
    expect(decodeFrame(encodeMessage('progress_state', { prompt_id: 'p', nodes }))).toMatchObject({ reason });
  });
});
