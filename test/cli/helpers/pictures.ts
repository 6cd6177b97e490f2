import { Buffer } from 'node:buffer';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';

type Colour = readonly [number, number, number];

const rgba = (width: number, height: number, colourAt: (x: number, y: number) => Colour): Buffer => {
  const pixels = Array.from({ length: width * height }, (_, at) => [
    ...colourAt(at % width, Math.floor(at / width)),
    255,
  ]);
  return Buffer.from(pixels.flat());
};

/** A PNG whose pixels a function tells. */
export const png = (
  width: number,
  height: number,
  colourAt: (x: number, y: number) => Colour,
): Uint8Array => {
  const picture = new PNG({ width, height });
  picture.data = rgba(width, height, colourAt);
  return PNG.sync.write(picture);
};

/** A JPEG of one colour. */
export const flatJpeg = (width: number, height: number, colour: Colour): Uint8Array =>
  jpeg.encode({ width, height, data: rgba(width, height, () => colour) }, 95).data;
