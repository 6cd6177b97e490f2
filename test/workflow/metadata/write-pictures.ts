import { crc32, deflateSync } from 'node:zlib';

// Writers of small files, from the formats' documents; they share nothing with the reader.

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** A chunk of a PNG: its type and its data. */
export type PngChunk = readonly [type: string, data: Uint8Array];

export const pngChunk = ([type, data]: PngChunk): Buffer => {
  const body = Buffer.concat([latin(type), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
};

const onePixel: readonly PngChunk[] = [
  ['IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])],
  ['IDAT', deflateSync(Buffer.from([0, 255]))],
  ['IEND', Buffer.alloc(0)],
];

/** A picture of one pixel with these chunks before its pixels, and others after them. */
export const png = (before: readonly PngChunk[], after: readonly PngChunk[] = []): Buffer => {
  const [header, pixels, end] = onePixel as [PngChunk, PngChunk, PngChunk];
  const chunks = [header, ...before, pixels, ...after, end].map(pngChunk);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
};

export const pngText = (keyword: string, text: string): PngChunk => [
  'tEXt',
  Buffer.concat([latin(`${keyword}\0`), latin(text)]),
];

export const pngDeflated = (keyword: string, text: Uint8Array): PngChunk => [
  'zTXt',
  Buffer.concat([latin(`${keyword}\0\0`), deflateSync(text)]),
];

export const pngUnicode = (keyword: string, text: string, deflated = false): PngChunk => {
  const bytes = Buffer.from(text, 'utf8');
  const head = latin(`${keyword}\0${deflated ? '\u0001' : '\0'}\0en\0word\0`);
  return ['iTXt', Buffer.concat([head, deflated ? deflateSync(bytes) : bytes])];
};

export const pngAnimated = (keyword: string, text: string): PngChunk => ['comf', pngText(keyword, text)[1]];

/** An entry of a TIFF directory whose value is bytes. */
export type TiffEntry = readonly [tag: number, value: Uint8Array, type?: number];

/** A TIFF with one directory of entries, and a directory of EXIF entries. */
export const tiff = (
  entries: readonly TiffEntry[],
  exif: readonly TiffEntry[] = [],
  order: 'II' | 'MM' = 'II',
): Buffer => {
  const u16 = (value: number): Buffer => {
    const bytes = Buffer.alloc(2);
    return (order === 'II' ? bytes.writeUInt16LE(value) : bytes.writeUInt16BE(value), bytes);
  };
  const u32 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    return (order === 'II' ? bytes.writeUInt32LE(value) : bytes.writeUInt32BE(value), bytes);
  };
  const lengthOf = (count: number): number => 2 + 12 * count + 4;
  const firstCount = entries.length + (exif.length > 0 ? 1 : 0);
  const exifAt = 8 + lengthOf(firstCount);
  let valuesAt = exifAt + (exif.length > 0 ? lengthOf(exif.length) : 0);
  const values: Uint8Array[] = [];
  const entry = ([tag, value, type = 2]: TiffEntry): Buffer => {
    const at = valuesAt;
    values.push(value);
    valuesAt += value.length;
    return Buffer.concat([u16(tag), u16(type), u32(value.length), u32(at)]);
  };
  const pointer = Buffer.concat([u16(0x8769), u16(4), u32(1), u32(exifAt)]);
  const first = Buffer.concat([
    u16(firstCount),
    ...entries.map(entry),
    ...(exif.length > 0 ? [pointer] : []),
    u32(0),
  ]);
  const second =
    exif.length === 0 ? Buffer.alloc(0) : Buffer.concat([u16(exif.length), ...exif.map(entry), u32(0)]);
  return Buffer.concat([latin(order), u16(42), u32(8), first, second, ...values]);
};

export const asciiEntry = (tag: number, text: string): TiffEntry => [tag, latin(`${text}\0`)];

/** The comment of a user, in one of the character sets of EXIF. */
export const userComment = (text: string, charset: 'ASCII' | 'UNICODE' = 'ASCII'): TiffEntry => [
  0x9286,
  charset === 'ASCII'
    ? Buffer.concat([latin('ASCII\0\0\0'), latin(text)])
    : Buffer.concat([latin('UNICODE\0'), Buffer.from(text, 'utf16le')]),
  7,
];

const riffChunk = (type: string, data: Uint8Array): Buffer => {
  const head = Buffer.concat([latin(type), Buffer.alloc(4)]);
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
};

export const riff = (form: string, chunks: readonly (readonly [type: string, data: Uint8Array])[]): Buffer =>
  riffChunk('RIFF', Buffer.concat([latin(form), ...chunks.map(([type, data]) => riffChunk(type, data))]));

/** A WebP whose picture is not one, with EXIF data after it. */
export const webp = (exif: Uint8Array): Buffer =>
  riff('WEBP', [
    ['VP8X', Buffer.from([8, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
    ['VP8L', Buffer.from('2f00000000073010', 'hex').subarray(0, 7)],
    ['EXIF', exif],
  ]);

export const wavInfo = (type: string, text: string): Buffer => {
  const list = Buffer.concat([latin('INFO'), riffChunk(type, latin(`${text}\0`))]);
  return riff('WAVE', [
    ['fmt ', Buffer.from('01000100401f0000401f000001000800', 'hex')],
    ['data', Buffer.alloc(3)],
    ['LIST', list],
  ]);
};

export const wavId3 = (tag: Uint8Array): Buffer =>
  riff('WAVE', [
    ['fmt ', Buffer.from('01000100401f0000401f000001000800', 'hex')],
    ['data', Buffer.alloc(4)],
    ['id3 ', tag],
  ]);

/** A segment of a JPEG. */
export const segment = (marker: number, data: Uint8Array): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};

export const exifSegment = (data: Uint8Array): Buffer =>
  segment(0xe1, Buffer.concat([latin('Exif\0\0'), data]));

const startOfFrame = segment(0xc0, Buffer.from([8, 0, 1, 0, 1, 1, 1, 0x11, 0]));

/** A JPEG without pixels. */
export const jpeg = (segments: readonly Uint8Array[]): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, latin('JFIF\0\u0001\u0001\0\0\u0001\0\u0001\0\0')),
    ...segments,
    startOfFrame,
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0, 0xff, 0xd9]),
  ]);
