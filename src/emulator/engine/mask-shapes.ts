import type { Picture } from './node-class.js';
import type { Mask } from './values.js';
import { resize } from './resize.js';

/** The bytes of a mask in another size; `center` cuts it to the new shape first. */
export const fittedMask = (mask: Mask, width: number, height: number, crop = 'disabled'): Uint8Array => {
  if (mask.width === width && mask.height === height) return mask.bytes;
  const grown = resize(greyOf(mask), { width, height, crop }).rgb;
  return Uint8Array.from({ length: width * height }, (_, at) => grown[at * 3] ?? 0);
};

/** A mask as a picture of greys. */
export const greyOf = ({ width, height, bytes }: Mask): Picture => {
  const rgb = new Uint8Array(bytes.length * 3);
  for (const [at, byte] of bytes.entries()) rgb.fill(byte, at * 3, at * 3 + 3);
  return { width, height, rgb };
};
