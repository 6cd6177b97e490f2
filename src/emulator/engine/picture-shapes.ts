import type { Picture } from './node-class.js';

/** A picture of one colour. */
export const plain = (width: number, height: number, colour: readonly [number, number, number]): Picture => {
  const rgb = new Uint8Array(width * height * 3);
  for (let at = 0; at < rgb.length; at += 1) rgb[at] = colour[at % 3] ?? 0;
  return { width, height, rgb };
};

/** A picture with another one on it, as far as it reaches into it. */
export const pasted = (under: Picture, over: Picture, left: number, top: number): Picture => {
  const rgb = under.rgb.slice();
  const [from, to] = [Math.max(0, -left), Math.min(over.width, under.width - left)];
  for (let y = Math.max(0, -top); y < Math.min(over.height, under.height - top) && from < to; y += 1) {
    const row = over.rgb.subarray((y * over.width + from) * 3, (y * over.width + to) * 3);
    rgb.set(row, ((y + top) * under.width + left + from) * 3);
  }
  return { width: under.width, height: under.height, rgb };
};

/** A picture turned by 90 degrees, as the hands of a clock go. */
export const turned = ({ width, height, rgb }: Picture): Picture => {
  const result = new Uint8Array(rgb.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 3;
      result.set(rgb.subarray(from, from + 3), (x * height + height - 1 - y) * 3);
    }
  return { width: height, height: width, rgb: result };
};

/** A picture mirrored, upside down or left to right. */
export const mirrored = ({ width, height, rgb }: Picture, upsideDown: boolean): Picture => {
  const flipped = new Uint8Array(rgb.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const from = upsideDown ? (height - 1 - y) * width + x : y * width + (width - 1 - x);
      flipped.set(rgb.subarray(from * 3, from * 3 + 3), (y * width + x) * 3);
    }
  return { width, height, rgb: flipped };
};
