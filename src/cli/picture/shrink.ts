import type { Pixels } from './pixels.js';

/** Makes a picture fit into `maxWidth` × `maxHeight` pixels, its shape kept; each new pixel is the mean of its area. */
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
