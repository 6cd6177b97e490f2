import jpeg from 'jpeg-js';
import type { Picture } from '../node-class.js';

/** Encodes a picture as JPEG; `quality` is 1 to 100, by default 90. */
export const encodeJpeg = (
  picture: Picture,
  { quality = 90 }: { readonly quality?: number } = {},
): Uint8Array => {
  const { width, height, rgb } = picture;
  const data = new Uint8Array(width * height * 4);
  for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4) {
    data[to] = rgb[from] ?? 0;
    data[to + 1] = rgb[from + 1] ?? 0;
    data[to + 2] = rgb[from + 2] ?? 0;
    data[to + 3] = 255;
  }
  return jpeg.encode({ width, height, data }, quality).data;
};
