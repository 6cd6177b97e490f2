import { Buffer } from 'node:buffer';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { pictureFormat } from './picture-format.js';
import type { Pixels } from './pixels.js';

/** Decodes a JPEG or PNG of at most 16 megapixels; `undefined` for anything else, broken pictures among them. */
export const decodePicture = (image: Uint8Array): Pixels | undefined => {
  try {
    switch (pictureFormat(image)) {
      case 'jpeg':
        return withoutAlpha(
          jpeg.decode(image, { useTArray: true, maxResolutionInMP: 16, maxMemoryUsageInMB: 256 }),
        );
      case 'png':
        return pngPixels(image) <= 16e6 ? withoutAlpha(PNG.sync.read(Buffer.from(image))) : undefined;
      case undefined:
        return undefined;
    }
  } catch {
    // A preview that can't be drawn is no reason to end anything.
    return undefined;
  }
};

// Width and height stand at bytes 16 and 20 of every PNG; looked at before any memory is taken.
const pngPixels = (image: Uint8Array): number => {
  const view = new DataView(image.buffer, image.byteOffset, image.byteLength);
  return view.getUint32(16) * view.getUint32(20);
};

const withoutAlpha = (picture: { width: number; height: number; data: Uint8Array }): Pixels => {
  const { width, height, data } = picture;
  const rgb = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    rgb.set(data.subarray(pixel * 4, pixel * 4 + 3), pixel * 3);
  }
  return { width, height, rgb };
};
