import { encodeVp8l } from './vp8l.js';
import type { Picture } from '../node-class.js';
import type { Rgba } from './picture-files.js';

/** Encodes a picture as a lossless WebP file, which is larger by far than a real server's. */
export const encodeWebp = (picture: Rgba): Uint8Array => riff([chunk('VP8L', encodeVp8l(picture))]);

/** How long each picture shows, and the Exif data of the file. */
export interface AnimatedWebpOptions {
  /** How long each picture shows, in milliseconds. */
  readonly durationMs: number;
  /** A block of Exif data. */
  readonly exif: Uint8Array;
}

/** Encodes pictures of one size as an animated WebP file that repeats for ever, each picture lossless. */
export const encodeAnimatedWebp = (
  frames: readonly Picture[],
  { durationMs, exif }: AnimatedWebpOptions,
): Uint8Array => {
  const { width, height } = frames[0] ?? { width: 1, height: 1 };
  const canvas = Buffer.alloc(10);
  canvas.writeUInt8(frames.some(({ alpha }) => alpha !== undefined) ? 0x1a : 0x0a, 0); // animation and Exif, perhaps alpha
  canvas.writeUIntLE(width - 1, 4, 3);
  canvas.writeUIntLE(height - 1, 7, 3);
  const header = Buffer.alloc(16); // at the origin
  header.writeUIntLE(width - 1, 6, 3);
  header.writeUIntLE(height - 1, 9, 3);
  header.writeUIntLE(Math.min(durationMs, 0xff_ff_ff), 12, 3);
  header.writeUInt8(0x02, 15); // replaces what is under it
  return riff([
    chunk('VP8X', canvas),
    chunk('ANIM', Buffer.alloc(6)), // a transparent ground, no end of the loop
    ...frames.map((frame) =>
      chunk('ANMF', Buffer.concat([header, chunk('VP8L', encodeVp8l(withAlpha(frame)))])),
    ),
    chunk('EXIF', exif),
  ]);
};

const withAlpha = ({ width, height, rgb, alpha }: Picture): Rgba => {
  const data = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    data.set(rgb.subarray(pixel * 3, pixel * 3 + 3), pixel * 4);
    data[pixel * 4 + 3] = alpha?.[pixel] ?? 255;
  }
  return { width, height, data };
};

/** Chunks have even sizes. */
const chunk = (type: string, data: Uint8Array): Buffer => {
  const framed = Buffer.alloc(8 + data.length + (data.length & 1));
  framed.write(type, 0, 'latin1');
  framed.writeUInt32LE(data.length, 4);
  framed.set(data, 8);
  return framed;
};

const riff = (chunks: readonly Uint8Array[]): Uint8Array =>
  chunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]));
