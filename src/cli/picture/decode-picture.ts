import { Buffer } from 'node:buffer';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';

/** No preview is larger. */
const maxPixels = 16e6;

/** Decodes a JPEG or PNG of at most 16 megapixels; undefined for other or broken pictures. */
export const decodePicture = (image: Uint8Array): Pixels | undefined => {
  try {
    switch (pictureFormat(image)) {
      case 'jpeg':
        return withoutAlpha(
          jpeg.decode(image, {
            useTArray: true,
            maxResolutionInMP: maxPixels / 1e6,
            maxMemoryUsageInMB: 256,
          }),
        );
      case 'png':
        return pngPixels(image) <= maxPixels ? withoutAlpha(PNG.sync.read(Buffer.from(image))) : undefined;
      case undefined:
        return undefined;
    }
  } catch {
    // A broken preview must not end the command.
    return undefined;
  }
};

// Width and height are at bytes 16 and 20 of every PNG; checked before memory is allocated.
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

/** The format by the magic bytes, regardless of names and media types. */
export const pictureFormat = (image: Uint8Array): 'jpeg' | 'png' | undefined => {
  if (jpegMagic.every((byte, at) => image[at] === byte)) return 'jpeg';
  if (pngMagic.every((byte, at) => image[at] === byte)) return 'png';
  return undefined;
};

const jpegMagic = [0xff, 0xd8, 0xff];
const pngMagic = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** A decoded picture: 3 bytes a pixel, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Shrinks a picture to fit `maxWidth` × `maxHeight` pixels with its aspect ratio; each pixel is the mean of its area. */
export const shrink = (picture: Pixels, maxWidth: number, maxHeight: number): Pixels => {
  const scale = Math.min(1, maxWidth / picture.width, maxHeight / picture.height);
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const left = Math.floor((x * picture.width) / width);
      const right = Math.max(left + 1, Math.floor(((x + 1) * picture.width) / width));
      const top = Math.floor((y * picture.height) / height);
      const bottom = Math.max(top + 1, Math.floor(((y + 1) * picture.height) / height));
      rgb.set(mean(picture, left, right, top, bottom), (y * width + x) * 3);
    }
  }
  return { width, height, rgb };
};

const mean = (
  picture: Pixels,
  left: number,
  right: number,
  top: number,
  bottom: number,
): readonly number[] => {
  const sum = [0, 0, 0] as [number, number, number];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = (y * picture.width + x) * 3;
      sum[0] += picture.rgb[at] ?? 0;
      sum[1] += picture.rgb[at + 1] ?? 0;
      sum[2] += picture.rgb[at + 2] ?? 0;
    }
  }
  const count = (right - left) * (bottom - top);
  return sum.map((channel) => Math.round(channel / count));
};
