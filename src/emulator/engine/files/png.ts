import { crc32, deflateSync } from 'node:zlib';
import type { Picture } from '../node-class.js';

/** The texts of the file. */
export interface PngOptions {
  /** Text chunks in order, by keyword (1 to 79 Latin-1 characters). */
  readonly text?: Readonly<Record<string, string>>;
}

/**
 * Encodes a picture as PNG (8-bit RGB, with alpha where the picture has it).
 *
 * Text that fits Latin-1 goes into `tEXt` chunks, other text into `iTXt` chunks in UTF-8. The same picture and text give
 * the same bytes.
 */
export const encodePng = (picture: Picture, { text = {} }: PngOptions = {}): Uint8Array =>
  Buffer.concat([
    signature,
    chunk('IHDR', header(picture)),
    ...Object.entries(text).map(([keyword, value]) => textChunk(keyword, value)),
    chunk('IDAT', deflateSync(filteredRows(picture), { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);

/** The first bytes of every PNG file. */
export const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** What the chunk IHDR says of a picture. */
export const header = ({ width, height, alpha }: Picture): Buffer => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([8, alpha === undefined ? 2 : 6, 0, 0, 0], 8); // 8 bits, RGB or RGBA, deflate, adaptive filters, not interlaced
  return data;
};

const textChunk = (keyword: string, value: string): Buffer => {
  const key = Buffer.from(keyword, 'latin1');
  return isLatin1(value)
    ? chunk('tEXt', Buffer.concat([key, Buffer.of(0), Buffer.from(value, 'latin1')]))
    : chunk('iTXt', Buffer.concat([key, Buffer.of(0, 0, 0, 0, 0), Buffer.from(value, 'utf8')]));
};

const isLatin1 = (value: string): boolean => /^[\u0001-\u00ff]*$/.test(value);

/** Each row with the filter (sub or up) that leaves the smaller numbers. */
export const filteredRows = ({ width, height, rgb: colours, alpha }: Picture): Buffer => {
  const size = alpha === undefined ? 3 : 4;
  const rgb = alpha === undefined ? colours : withAlpha(colours, alpha);
  const stride = width * size;
  const rows = Buffer.alloc((stride + 1) * height);
  const sub = new Uint8Array(stride);
  const up = new Uint8Array(stride);
  for (let y = 0; y < height; y += 1) {
    const start = y * stride;
    let costOfSub = 0;
    let costOfUp = 0;
    for (let x = 0; x < stride; x += 1) {
      const value = rgb[start + x] ?? 0;
      sub[x] = value - (x < size ? 0 : (rgb[start + x - size] ?? 0));
      up[x] = value - (y === 0 ? 0 : (rgb[start + x - stride] ?? 0));
      costOfSub += distanceFromZero(sub[x] ?? 0);
      costOfUp += distanceFromZero(up[x] ?? 0);
    }
    const useSub = costOfSub < costOfUp;
    rows[y * (stride + 1)] = useSub ? 1 : 2;
    rows.set(useSub ? sub : up, y * (stride + 1) + 1);
  }
  return rows;
};

/** Red, green, blue and alpha of each pixel. */
const withAlpha = (colours: Uint8Array, alpha: Uint8Array): Uint8Array => {
  const all = new Uint8Array(alpha.length * 4);
  for (const [pixel, opaque] of alpha.entries()) {
    all.set(colours.subarray(pixel * 3, pixel * 3 + 3), pixel * 4);
    all[pixel * 4 + 3] = opaque;
  }
  return all;
};

const distanceFromZero = (byte: number): number => (byte < 128 ? byte : 256 - byte);

/** A chunk with its length and checksum. */
export const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
};
