import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../../src/core/protocol/frames/decode-frame.js';
import type { Frame } from '../../../src/core/protocol/frames/frame.js';
import { encodePreview, encodePreviewWithMetadata, hex } from '../../helpers/encode-frame.js';

const image = hex('FFD8FFE0 00104A46');
const frames = [encodePreview(1, image), encodePreviewWithMetadata({ prompt_id: 'p' }, image)];

const imageOf = (frame: Frame): Uint8Array => {
  if (frame._tag !== 'Preview') throw new Error(`not a preview but ${frame._tag}`);
  return frame.image;
};

/** The same bytes somewhere in the middle of a larger buffer, as Node's pool hands them out. */
const pooled = (bytes: Uint8Array): Uint8Array => {
  const pool = new Uint8Array(bytes.length + 64).fill(0xee);
  pool.set(bytes, 13);
  return pool.subarray(13, 13 + bytes.length);
};

describe('decodeFrame: whose bytes', () => {
  it.each(frames.map((bytes) => [bytes[3], bytes] as const))('copies no picture of type %d', (_, bytes) => {
    const exact = imageOf(decodeFrame(bytes));
    expect(exact.buffer).toBe(bytes.buffer);
    expect(exact.byteOffset).toBe(bytes.length - image.length);

    const buffer = bytes.buffer as ArrayBuffer;
    expect(imageOf(decodeFrame(buffer)).buffer).toBe(buffer);
  });

  it.each(frames.map((bytes) => [bytes[3], bytes] as const))(
    'respects the offset of a view, type %d',
    (_, bytes) => {
      const view = pooled(bytes);
      const found = imageOf(decodeFrame(view));
      expect(found.buffer).toBe(view.buffer);
      expect(found).toStrictEqual(image);
    },
  );

  it.each(frames.map((bytes) => [bytes[3], bytes] as const))('hands out no Buffer, type %d', (_, bytes) => {
    const buffer = Buffer.from(bytes);
    const found = imageOf(decodeFrame(buffer));
    expect(Object.getPrototypeOf(found)).toBe(Uint8Array.prototype);
    expect(found.buffer).toBe(buffer.buffer);
  });
});

describe('decodeFrame: what no type lets in', () => {
  const decodeAnything = decodeFrame as (data: unknown) => Frame;

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a number', 8],
    ['a boolean', true],
    ['a symbol', Symbol('frame')],
    ['a function', () => 'frame'],
    ['an object', { length: 4, byteLength: 4 }],
    ['a list', [0, 0, 0, 1]],
    ['a date', new Date(0)],
  ])('survives %s', (_, data) => {
    const reason = 'neither text nor readable bytes';
    expect(decodeAnything(data)).toStrictEqual({ _tag: 'Malformed', reason, size: 0, sample: '' });
  });

  it('reads any other view', () => {
    const bytes = pooled(frames[0]!);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    expect(imageOf(decodeAnything(view))).toStrictEqual(image);
  });

  it('reads shared memory', () => {
    const shared = new SharedArrayBuffer(frames[0]!.length);
    new Uint8Array(shared).set(frames[0]!);
    expect(imageOf(decodeAnything(shared)).buffer).toBe(shared);
  });

  it('survives a buffer that was handed to another thread', () => {
    const buffer = new ArrayBuffer(16);
    const view = new Uint8Array(buffer);
    structuredClone(buffer, { transfer: [buffer] });
    expect(decodeFrame(buffer)).toMatchObject({ _tag: 'Malformed', size: 0 });
    expect(decodeFrame(view)).toMatchObject({ _tag: 'Malformed', size: 0 });
  });
});
