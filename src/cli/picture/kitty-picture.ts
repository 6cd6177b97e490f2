import { Buffer } from 'node:buffer';
import { decodePicture } from './decode-picture.js';
import { pictureFormat } from './picture-format.js';

/**
 * The sequence of kitty's graphics protocol that shows a picture `rows` cells high without moving the cursor; a second
 * one takes the place of the first. PNG goes as it is, JPEG as pixels; `undefined` for other bytes.
 */
export const kittyPicture = (image: Uint8Array, rows: number): string | undefined => {
  if (pictureFormat(image) === 'png') return chunked('f=100', image, rows);
  const pixels = decodePicture(image);
  return pixels && chunked(`f=24,s=${pixels.width},v=${pixels.height}`, pixels.rgb, rows);
};

/** The sequence that takes the picture away again. */
export const kittyClear = '\u001B_Ga=d,d=I,i=7321,q=2\u001B\\';

// One image and placement id, so that each preview replaces the one before; q=2: the terminal must not answer.
const ids = 'i=7321,p=1';

const chunkSize = 4096;

const chunked = (format: string, bytes: Uint8Array, rows: number): string => {
  const payload = Buffer.from(bytes).toString('base64');
  const count = Math.max(1, Math.ceil(payload.length / chunkSize));
  return Array.from({ length: count }, (_, index) => {
    const control = index === 0 ? `a=T,${format},${ids},r=${rows},C=1,q=2,` : '';
    const more = index < count - 1 ? 1 : 0;
    return `\u001B_G${control}m=${more};${payload.slice(index * chunkSize, (index + 1) * chunkSize)}\u001B\\`;
  }).join('');
};
