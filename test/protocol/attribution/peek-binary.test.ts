import { describe, expect, it } from 'vitest';
import {
  encodePreview,
  encodePreviewWithMetadata,
  encodeProgressText,
  hex,
} from '../../helpers/encode-frame.js';
import { peekBinaryOwner } from '../../../src/core/protocol/attribution/peek-owner.js';

const image = hex('FFD8FF');
const uuid = '6a1f0c52-7d3e-4b8a-9c1d-2e5f60718293';
const withMetadata = (json: string): Uint8Array => {
  const length = json.length.toString(16).padStart(8, '0');
  return hex(`00000004 ${length} ${Buffer.from(json).toString('hex')} FFD8FF`);
};

describe('peekBinaryOwner', () => {
  it('finds the job of a preview with metadata', () => {
    expect(peekBinaryOwner(encodePreviewWithMetadata({ node_id: '1', prompt_id: 'p' }, image))).toBe('p');
    const pooled = Buffer.concat([
      hex('AABB'),
      encodePreviewWithMetadata({ prompt_id: 'p' }, image),
    ]).subarray(2);
    expect(peekBinaryOwner(pooled)).toBe('p');
  });

  it('finds the job of a text in the newer layout', () => {
    const text = encodeProgressText('12', 'hi', uuid);
    expect(peekBinaryOwner(text)).toBe(uuid);
    expect(peekBinaryOwner(text, true)).toBe(uuid);
    expect(peekBinaryOwner(text, false)).toBeUndefined();
    expect(peekBinaryOwner(encodeProgressText('12', 'hi', 'p1'), true)).toBe('p1');
    expect(peekBinaryOwner(encodeProgressText('12', 'hi', 'p1'))).toBeUndefined();
  });

  it('looks into messages of any length', () => {
    expect(peekBinaryOwner(encodeProgressText('', '', 'p'), true)).toBe('p');
    expect(peekBinaryOwner(hex('00000003 00000000'), true)).toBeUndefined();
    expect(peekBinaryOwner(withMetadata('{"prompt_id":"p"}').subarray(0, -3))).toBe('p');
    const padded = (length: number) => withMetadata('{"prompt_id":"p"}'.padEnd(length));
    expect(peekBinaryOwner(padded(64 * 1024))).toBe('p');
    expect(peekBinaryOwner(padded(64 * 1024 + 1))).toBeUndefined();
  });

  it.each([
    ['type 1', encodePreview(1, image)],
    ['an unknown type', hex('00000009 00000001 70')],
    ['nothing', hex('')],
    ['7 bytes', hex('00000004 000000')],
    ['metadata past the end', hex('00000004 00000009 7B7D')],
    ['metadata that is cut', withMetadata('{"prompt_id":"p"}   ').subarray(0, -5)],
    ['metadata beyond the limit', hex('00000004 FFFFFFFF 7B7D')],
    ['metadata without id', withMetadata('{"node_id":"1"}')],
    ['an empty id', withMetadata('{"prompt_id":""}')],
    ['two ids', withMetadata('{"prompt_id":"a","x":{"prompt_id":"b"}}')],
    ['an escaped key', withMetadata('{"prompt\\u005fid":"b","prompt_id":"a"}')],
    ['metadata that is no UTF-8', hex('00000004 00000003 22FF22 FFD8FF')],
    ['a text whose id does not fit', hex('00000003 000000FF 3132')],
  ])('says nothing of %s', (_, bytes) => expect(peekBinaryOwner(bytes)).toBeUndefined());
});
