import { describe, expect, it } from 'vitest';
import {
  imageField,
  packImage,
  readImage,
  readPacked,
} from '../../../src/server/queue/store/packed-image.js';

describe('a picture in the store', () => {
  const image = { mediaType: 'image/png', bytes: new Uint8Array([10, 0, 255]) };

  it('is its media type and its bytes', async () => {
    expect(packImage(image)).toEqual(Buffer.concat([Buffer.from('image/png\n'), image.bytes]));
    expect(readPacked(packImage(image))).toEqual(image);
    const calls: unknown[] = [];
    const sendForBytes = (...call: readonly unknown[]) =>
      Promise.resolve(void calls.push(call)).then(() => packImage(image));
    expect(await readImage({ sendForBytes }, 'k', { nodeId: '3', index: 1 })).toEqual(image);
    expect(calls).toEqual([['HGET', 'k', '["3",1]']]);
    expect(imageField({ nodeId: '3:1', index: 0 })).toBe('["3:1",0]');
  });

  it('is none where nothing, or no such text, is there', () => {
    expect([readPacked(null), readPacked(Buffer.from('image/png'))]).toEqual([undefined, undefined]);
    expect(readPacked(Buffer.from('\nx'))).toEqual({ mediaType: '', bytes: new Uint8Array([120]) });
    // No header can carry it.
    expect(readPacked(Buffer.from('image/\u0000png\nx'))).toBeUndefined();
    expect(readPacked(Buffer.from('image/\u{ff}\nx'))).toBeUndefined();
  });
});
