import { Buffer } from 'node:buffer';
import { pictureFormat } from './picture-format.js';

/** The sequence that shows a JPEG or PNG inline (OSC 1337), `rows` cells high; `undefined` for other bytes. */
export const itermPicture = (image: Uint8Array, rows: number): string | undefined =>
  pictureFormat(image) === undefined
    ? undefined
    : `\u001B]1337;File=inline=1;size=${image.length};height=${rows};preserveAspectRatio=1:${Buffer.from(image).toString('base64')}\u0007`;
