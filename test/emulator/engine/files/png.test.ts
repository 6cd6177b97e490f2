import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { encodePng } from '../../../../src/emulator/engine/files/png.js';
import { plainPicture, testPicture } from '../run-node.js';

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const chunksOf = (file: Uint8Array): readonly Chunk[] => {
  const bytes = Buffer.from(file);
  const chunks: Chunk[] = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    chunks.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      data: bytes.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  return chunks;
};

const withoutAlpha = (rgba: Uint8Array): number[] => [...rgba].filter((_, index) => index % 4 !== 3);

describe('encodePng', () => {
  it.each([
    [1, 1],
    [7, 5],
    [64, 3],
    [3, 64],
  ])('gives back every pixel of %i × %i, with checksums that a strict reader accepts', (width, height) => {
    const picture = testPicture(width, height);
    const decoded = PNG.sync.read(Buffer.from(encodePng(picture)), { checkCRC: true });
    expect([decoded.width, decoded.height]).toEqual([width, height]);
    expect(withoutAlpha(decoded.data)).toEqual([...picture.rgb]);
  });

  it('keeps the order of header, texts, data and end', () => {
    const types = chunksOf(encodePng(testPicture(2, 2), { text: { prompt: '{}', workflow: '{}' } })).map(
      ({ type }) => type,
    );
    expect(types).toEqual(['IHDR', 'tEXt', 'tEXt', 'IDAT', 'IEND']);
  });

  it('writes Latin-1 text as keyword, zero byte, text', () => {
    const [, text] = chunksOf(encodePng(testPicture(2, 2), { text: { prompt: 'caf\u00e9' } }));
    expect(text?.data.toString('latin1')).toBe('prompt\0caf\u00e9');
  });

  it('writes other text as international text in UTF-8, not compressed', () => {
    const [, text] = chunksOf(encodePng(testPicture(2, 2), { text: { prompt: '雪 ☃' } }));
    expect(text?.type).toBe('iTXt');
    expect(text?.data.subarray(0, 11)).toEqual(Buffer.from('prompt\0\0\0\0\0', 'latin1'));
    expect(text?.data.toString('utf8', 11)).toBe('雪 ☃');
  });

  it('gives the same bytes for the same picture and text', () => {
    const make = () => encodePng(testPicture(9, 9), { text: { prompt: 'a' } });
    expect(make()).toEqual(make());
  });

  it('makes an even picture small', () => {
    expect(encodePng(plainPicture(256, 256, [10, 20, 30])).length).toBeLessThan(2000);
  });
});
