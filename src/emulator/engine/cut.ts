import type { Picture } from './node-class.js';

/** Cuts a rectangle out of a picture. */
export const cut = (
  picture: Picture,
  {
    left,
    top,
    width,
    height,
  }: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
): Picture => {
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    const start = ((top + y) * picture.width + left) * 3;
    rgb.set(picture.rgb.subarray(start, start + width * 3), y * width * 3);
  }
  return { width, height, rgb };
};
