import { describe, expect, it } from 'vitest';
import { encodeWebp } from '../../../src/emulator/store/encode-webp.js';
import jpeg from 'jpeg-js';
import { pictureSize } from '../../../src/emulator/store/reduce-picture.js';
import { PNG } from 'pngjs';

describe('pictureSize', () => {
  it('reads PNG and JPEG headers', () => {
    const png = PNG.sync.write(new PNG({ width: 7, height: 3 }));
    const { data } = jpeg.encode({ width: 300, height: 9, data: Buffer.alloc(300 * 9 * 4) }, 50);
    expect(pictureSize(png)).toEqual({ width: 7, height: 3 });
    expect(pictureSize(data)).toEqual({ width: 300, height: 9 });
  });

  it('knows nothing of other bytes, of cut headers and of none', () => {
    const { data } = jpeg.encode({ width: 8, height: 8, data: Buffer.alloc(256) }, 50);
    for (const bytes of [Buffer.from('RIFF'), data.subarray(0, 20), data.subarray(0, 3), Buffer.alloc(0)]) {
      expect(pictureSize(bytes)).toBeUndefined();
    }
  });
});

/** Reads bits as the format orders them: the lowest of a byte first. */
const bitReader = (bytes: Uint8Array) => {
  let at = 0;
  const bit = (): number => ((bytes[at >> 3] ?? 0) >> (at++ & 7)) & 1;
  return (count: number): number => {
    let value = 0;
    for (let index = 0; index < count; index += 1) value |= bit() << index;
    return value;
  };
};

type ReadBits = ReturnType<typeof bitReader>;

/** Reads one prefix code of the two kinds that are expected here, and gives a reader of its values. */
const readCode = (read: ReadBits): (() => number) => {
  if (read(1) === 1) {
    expect(read(1)).toBe(0);
    const value = read(read(1) === 1 ? 8 : 1);
    return () => value;
  }
  const order = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
  const lengths = order.slice(0, 4 + read(4)).map((symbol) => [symbol, read(3)] as const);
  expect(lengths.filter(([, length]) => length > 0)).toEqual([[8, 1]]);
  if (read(1) === 1) expect(read(2 + 2 * read(3)) + 2).toBe(256);
  // Eight bits for each of 256 values: the code of a value is the value, its highest bit first.
  return () => Array.from({ length: 8 }, () => read(1)).reduce((code, bit) => code * 2 + bit, 0);
};

const decode = (file: Uint8Array) => {
  const buffer = Buffer.from(file);
  expect([buffer.toString('latin1', 0, 4), buffer.toString('latin1', 8, 16)]).toEqual(['RIFF', 'WEBPVP8L']);
  expect(buffer.readUInt32LE(4)).toBe(buffer.length - 8);
  expect(buffer.length % 2).toBe(0);
  const read = bitReader(buffer.subarray(20, 20 + buffer.readUInt32LE(16)));
  expect(read(8)).toBe(0x2f);
  const [width, height] = [read(14) + 1, read(14) + 1];
  const hasAlpha = read(1) === 1;
  expect(read(6)).toBe(0);
  const [green, red, blue, alpha] = [readCode(read), readCode(read), readCode(read), readCode(read)];
  readCode(read);
  const data = Array.from({ length: width * height }, () => {
    const [g, r, b, a] = [green(), red(), blue(), alpha()];
    return [r, g, b, a];
  }).flat();
  return { width, height, hasAlpha, data };
};

describe('encodeWebp', () => {
  it.each([
    [1, 1, 255],
    [3, 5, 255],
    [16, 2, 100],
  ])('keeps every pixel of %i × %i with an alpha of %i', (width, height, alpha) => {
    const data = Uint8Array.from({ length: width * height * 4 }, (_, at) =>
      at % 4 === 3 ? alpha : (at * 37) & 255,
    );
    expect(decode(encodeWebp({ width, height, data }))).toEqual({
      width,
      height,
      hasAlpha: alpha !== 255,
      data: [...data],
    });
  });
});
