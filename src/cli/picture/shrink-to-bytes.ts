import { Buffer } from 'node:buffer';
import { decodePicture, type Pixels, shrink } from './decode-picture.js';
import jpeg from 'jpeg-js';

/** A picture as JPEG. */
export interface SmallPicture {
  readonly bytes: Uint8Array;
  readonly mediaType: 'image/jpeg';
}

/** The largest side to begin with: models look at pictures of about this size. */
const largestSide = 1536;

/**
 * Makes a JPEG of at most `byteLimit` bytes from a JPEG or PNG, smaller by a fifth each time; undefined for other pictures, and if none fits.
 */
export const shrinkToBytes = (image: Uint8Array, byteLimit: number): SmallPicture | undefined => {
  const picture = decodePicture(image);
  if (picture === undefined) return undefined;
  for (
    let side = Math.min(largestSide, Math.max(picture.width, picture.height));
    side >= 1;
    side = Math.floor(side * 0.8)
  ) {
    const bytes = encoded(shrink(picture, side, side));
    if (bytes.length <= byteLimit) return { bytes, mediaType: 'image/jpeg' };
  }
  return undefined;
};

const encoded = ({ width, height, rgb }: Pixels): Uint8Array => {
  const data = Buffer.alloc(width * height * 4, 255);
  for (let pixel = 0; pixel < width * height; pixel += 1)
    data.set(rgb.subarray(pixel * 3, pixel * 3 + 3), pixel * 4);
  return jpeg.encode({ width, height, data }, 80).data;
};
