import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import type { Picture } from '../node-class.js';

/** A decoded file: the picture, and its alpha channel (255 is opaque) where the file has one that is used. */
export interface DecodedPicture extends Picture {
  readonly alpha?: Uint8Array;
}

/**
 * Decodes a PNG or JPEG file, recognised by its first bytes.
 *
 * Returns `undefined` for other or broken files.
 */
export const decodePicture = (bytes: Uint8Array): DecodedPicture | undefined => {
  try {
    if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47])) return fromRgba(PNG.sync.read(Buffer.from(bytes)));
    if (startsWith(bytes, [0xff, 0xd8, 0xff])) {
      return fromRgba(
        jpeg.decode(bytes, { useTArray: true, maxResolutionInMP: 70, maxMemoryUsageInMB: 1024 }),
      );
    }
    return undefined;
  } catch {
    return undefined;
  }
};

const startsWith = (bytes: Uint8Array, magic: readonly number[]): boolean =>
  magic.every((byte, index) => bytes[index] === byte);

const fromRgba = ({
  width,
  height,
  data,
}: {
  width: number;
  height: number;
  data: Uint8Array;
}): DecodedPicture => {
  const rgb = new Uint8Array(width * height * 3);
  const alpha = new Uint8Array(width * height);
  for (let pixel = 0; pixel < alpha.length; pixel += 1) {
    rgb[pixel * 3] = data[pixel * 4] ?? 0;
    rgb[pixel * 3 + 1] = data[pixel * 4 + 1] ?? 0;
    rgb[pixel * 3 + 2] = data[pixel * 4 + 2] ?? 0;
    alpha[pixel] = data[pixel * 4 + 3] ?? 255;
  }
  return { width, height, rgb, ...(alpha.some((value) => value < 255) && { alpha }) };
};
