import type { Rgba } from './picture-files.js';

/**
 * Encodes a picture as the data of a lossless picture in WebP (VP8L), without any compression: three bytes a pixel, four with alpha.
 *
 * Every channel has codes of eight bits each, so that a decoder finds all that the format asks for and this file stays
 * short. Width and height are at most 16,384.
 */
export const encodeVp8l = ({ width, height, data }: Rgba): Uint8Array => {
  const hasAlpha = data.some((value, at) => at % 4 === 3 && value !== 255);
  const bits = bitWriter(width * height * 4 + 64);
  bits.write(signature, 8);
  bits.write(width - 1, 14);
  bits.write(height - 1, 14);
  bits.write(hasAlpha ? 1 : 0, 1);
  bits.write(0, 3); // version
  bits.write(0, 1); // no transform
  bits.write(0, 1); // no colour cache
  bits.write(0, 1); // one set of codes for the whole picture
  for (const channel of ['green', 'red', 'blue'] as const) writeByteCodes(bits, channel === 'green');
  if (hasAlpha) writeByteCodes(bits, false);
  else writeOneCode(bits, 255);
  writeOneCode(bits, 0); // distances, which no pixel refers to
  for (let at = 0; at < data.length; at += 4) {
    for (const channel of hasAlpha ? [1, 0, 2, 3] : [1, 0, 2])
      bits.write(reversed(data[at + channel] ?? 0), 8);
  }
  return bits.bytes();
};

const signature = 0x2f;

interface BitWriter {
  /** Appends the lowest `count` bits, the lowest first. */
  readonly write: (value: number, count: number) => void;
  readonly bytes: () => Uint8Array;
}

const bitWriter = (capacity: number): BitWriter => {
  const bytes = new Uint8Array(capacity);
  let at = 0;
  return {
    write: (value, count) => {
      for (let bit = 0; bit < count; bit += 1, at += 1) {
        const byte = at >> 3;
        bytes[byte] = (bytes[byte] ?? 0) | (((value >> bit) & 1) << (at & 7));
      }
    },
    bytes: () => bytes.subarray(0, (at + 7) >> 3),
  };
};

/** Codes each of the values 0 to 255 with eight bits; further symbols of the green alphabet have no code. */
const writeByteCodes = (bits: BitWriter, isGreen: boolean): void => {
  bits.write(0, 1); // lengths are listed
  const lengthsOfLengths = orderOfLengths.indexOf(8) + 1;
  bits.write(lengthsOfLengths - 4, 4);
  for (const length of orderOfLengths.slice(0, lengthsOfLengths)) bits.write(length === 8 ? 1 : 0, 3);
  // With a single length in use, each length takes no bits: only their count is written.
  bits.write(isGreen ? 1 : 0, 1);
  if (!isGreen) return;
  bits.write(3, 3); // the number stands in 2 + 2 × 3 bits
  bits.write(256 - 2, 8);
};

/** The order in which the format lists the lengths of the codes for lengths. */
const orderOfLengths = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/** An alphabet with a single value, whose code has no bits. */
const writeOneCode = (bits: BitWriter, value: number): void => {
  bits.write(1, 1); // the simple form
  bits.write(0, 1); // one value
  bits.write(value > 1 ? 1 : 0, 1); // of eight bits, or of one
  bits.write(value, value > 1 ? 8 : 1);
};

/** Codes are written with the highest bit first. */
const reversed = (byte: number): number => {
  let result = 0;
  for (let bit = 0; bit < 8; bit += 1) result |= ((byte >> bit) & 1) << (7 - bit);
  return result;
};
