import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';

/** A picture with 8 bits each of red, green, blue and alpha. */
export interface Rgba {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Decodes a PNG or JPEG; anything else, or a broken one, is `undefined`. */
export const decodePicture = (bytes: Uint8Array): Rgba | undefined => {
  try {
    if (bytes[0] === 0x89) return PNG.sync.read(Buffer.from(bytes));
    if (bytes[0] === 0xff) return jpeg.decode(bytes, { useTArray: true });
  } catch {
    return undefined;
  }
  return undefined;
};
