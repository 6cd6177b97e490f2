/**
 * Draws a small picture as a PNG: a sky over hills, whose colours follow from the name.
 *
 * Equal names give equal bytes. It has 96 × 64 pixels, so that a test or a story shows something for `files` of a scripted service.
 *
 * @example
 * ```ts
 * import { examplePicture, scriptedService } from 'promptwire/testing';
 *
 * const service = scriptedService({ files: { '9-00001_.png': examplePicture('a lighthouse') } });
 * console.log(service.jobs.length); // 0
 * ```
 */
export const examplePicture = (name: string): Uint8Array => {
  const hue = Array.from(name, (letter) => letter.codePointAt(0) ?? 0).reduce(
    (sum, code) => (sum * 31 + code) % 360,
    7,
  );
  const palette = [
    ...Array.from({ length: height }, (_, y) => colour(hue, 0.55 + (0.35 * y) / height)),
    colour((hue + 150) % 360, 0.35),
    colour((hue + 150) % 360, 0.22),
  ];
  const rows = Array.from({ length: height }, (_, y) =>
    Uint8Array.from([0, ...Array.from({ length: width }, (__, x) => colourAt(x, y, hue))]),
  );
  return joined([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', joined([number(width), number(height), Uint8Array.of(8, 3, 0, 0, 0)])),
    chunk('PLTE', joined(palette)),
    chunk('IDAT', stored(joined(rows))),
    chunk('IEND', new Uint8Array(0)),
  ]);
};

const width = 96;
const height = 64;

/** The sky has a colour for each row; the two after them are the hills. */
const colourAt = (x: number, y: number, hue: number): number => {
  const isBelow = (top: number, wave: number): boolean =>
    y > height * (top + 0.1 * Math.sin((x + hue) / wave));
  if (isBelow(0.8, 9)) return height + 1;
  return isBelow(0.62, 17) ? height : y;
};

/** Red, green and blue of a hue with half the saturation. */
const colour = (hue: number, lightness: number): Uint8Array => {
  const spread = 0.5 * Math.min(lightness, 1 - lightness);
  return Uint8Array.from([0, 8, 4], (shift) => {
    const at = (shift + hue / 30) % 12;
    return Math.round(255 * (lightness - spread * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  });
};

/** Bytes as a zlib stream that does not compress them; one block holds them, which has room for 65 535. */
const stored = (bytes: Uint8Array): Uint8Array => {
  const [low, high] = [bytes.length & 0xff, bytes.length >> 8];
  return joined([
    Uint8Array.of(0x78, 0x01, 1, low, high, low ^ 0xff, high ^ 0xff),
    bytes,
    number(adler32(bytes)),
  ]);
};

const chunk = (type: string, data: Uint8Array): Uint8Array => {
  const typed = joined([Uint8Array.from(type, (letter) => letter.charCodeAt(0)), data]);
  return joined([number(data.length), typed, number(crc32(typed))]);
};

const adler32 = (bytes: Uint8Array): number => {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return b * 0x1_00_00 + a;
};

const crc32 = (bytes: Uint8Array): number => {
  let crc = 0xff_ff_ff_ff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ ((crc & 1) === 1 ? 0xed_b8_83_20 : 0);
  }
  return ~crc;
};

/** The four bytes of a number, the highest first. */
const number = (value: number): Uint8Array =>
  Uint8Array.of(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);

const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};
