import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

/** A PNG of that size with pixels drawn by lot, so that no two have the same bytes. */
export const randomPng = (width: number, height: number): Buffer => {
  const png = new PNG({ width, height });
  randomBytes(png.data.length).copy(png.data);
  return PNG.sync.write(png);
};

/** Red, green, blue and alpha of each pixel of a PNG. */
export const pngPixels = (bytes: Buffer): readonly (readonly number[])[] => {
  const { data } = PNG.sync.read(bytes);
  return Array.from({ length: data.length / 4 }, (_, pixel) => [...data.subarray(pixel * 4, pixel * 4 + 4)]);
};

/** A one-bit PNG of that size, all black: small as a file, however large the picture. */
export const blackPng = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...chunks]);
};

/** The media type that the first bytes say. */
export const mediaTypeOf = (bytes: Buffer): string => {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
  if (bytes.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]))) return 'image/png';
  if (bytes.subarray(0, 4).toString() === 'RIFF') return `riff ${bytes.subarray(8, 12).toString()}`;
  if (bytes.subarray(4, 8).toString() === 'ftyp') return 'video/mp4';
  if (bytes.subarray(0, 4).equals(Buffer.from([0x1a, 0x45, 0xdf, 0xa3]))) return 'video/webm';
  if (bytes.subarray(0, 4).toString() === 'fLaC') return 'audio/flac';
  return 'unknown';
};

/** A whole picture: begins and ends as its kind has to. */
export const assertWholePicture = (bytes: Buffer, mediaType: string, place: string): void => {
  assert.equal(mediaTypeOf(bytes), mediaType, `${place} is ${mediaType}`);
  const end = mediaType === 'image/jpeg' ? bytes.subarray(-2) : bytes.subarray(-8, -4);
  const expected = mediaType === 'image/jpeg' ? Buffer.from([0xff, 0xd9]) : Buffer.from('IEND');
  assert.deepEqual(end, expected, `${place} is whole`);
};

/** The texts of a PNG's `tEXt` and `iTXt` chunks by keyword. */
export const pngTexts = (bytes: Buffer): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (let at = 8; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(at);
    const kind = bytes.subarray(at + 4, at + 8).toString();
    const body = bytes.subarray(at + 8, at + 8 + size);
    const zero = body.indexOf(0);
    const keyword = body.subarray(0, zero).toString();
    if (kind === 'tEXt') found[keyword] = body.subarray(zero + 1).toString('latin1');
    if (kind === 'iTXt') found[keyword] = afterNulls(body.subarray(zero + 3)).toString();
    at += size + 12;
  }
  return found;
};

const chunk = (kind: string, body: Buffer): Buffer => {
  const content = Buffer.concat([Buffer.from(kind), body]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length, 0);
  frame.writeUInt32BE(crc32(content), 4);
  return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)]);
};

/** What follows the language tag and the translated keyword of an uncompressed `iTXt` chunk. */
const afterNulls = (body: Buffer): Buffer => {
  const language = body.indexOf(0);
  const translated = body.indexOf(0, language + 1);
  return body.subarray(translated + 1);
};
