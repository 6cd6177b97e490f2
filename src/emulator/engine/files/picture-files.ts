import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import type { Picture } from '../node-class.js';

/** A decoded picture: 8 bits each of red, green, blue and alpha. */
export interface Rgba {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Decodes a PNG or JPEG file; undefined for other or broken files. */
export const decodeRgba = (bytes: Uint8Array): Rgba | undefined => {
  try {
    if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47])) return PNG.sync.read(Buffer.from(bytes));
    if (startsWith(bytes, [0xff, 0xd8, 0xff])) {
      return jpeg.decode(bytes, { useTArray: true, maxResolutionInMP: 70, maxMemoryUsageInMB: 1024 });
    }
    return undefined;
  } catch {
    return undefined;
  }
};

const startsWith = (bytes: Uint8Array, magic: readonly number[]): boolean =>
  magic.every((byte, index) => bytes[index] === byte);

/** A decoded file: the picture, and its alpha channel (255 is opaque) where a pixel is not opaque. */
export type DecodedPicture = Picture;

/** Decodes a PNG or JPEG file and separates its alpha; undefined for other or broken files. */
export const decodePicture = (bytes: Uint8Array): DecodedPicture | undefined => {
  const decoded = decodeRgba(bytes);
  if (!decoded) return undefined;
  const { width, height, data } = decoded;
  const alpha = new Uint8Array(width * height);
  for (let pixel = 0; pixel < alpha.length; pixel += 1) alpha[pixel] = data[pixel * 4 + 3] ?? 255;
  return { ...withoutAlpha(decoded), ...(alpha.some((value) => value < 255) && { alpha }) };
};

/** The colours of a decoded picture. */
export const withoutAlpha = ({ width, height, data }: Rgba): Picture => {
  const rgb = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    rgb.set(data.subarray(pixel * 4, pixel * 4 + 3), pixel * 3);
  }
  return { width, height, rgb };
};
