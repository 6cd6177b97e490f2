import { deflateSync } from 'node:zlib';
import { chunk, filteredRows, header, signature } from './png.js';
import type { Picture } from '../node-class.js';

/** How long each picture shows, the texts of the file, and how hard it is compressed. */
export interface ApngOptions {
  /** How long each picture shows, in milliseconds. */
  readonly durationMs: number;
  /** Texts by keyword, written as an engine does: in `comf` chunks after the frames. */
  readonly text: Readonly<Record<string, string>>;
  /** From 0, none, to 9. */
  readonly level: number;
}

/** Encodes pictures of one size as an animated PNG file that repeats for ever. */
export const encodeApng = (frames: readonly Picture[], options: ApngOptions): Uint8Array => {
  const [first] = frames;
  if (first === undefined) throw new RangeError('An animation has at least one picture.');
  let sequence = 0;
  const animation = frames.flatMap((frame, at) => {
    const data = deflateSync(filteredRows(frame), { level: options.level });
    const control = chunk('fcTL', frameControl(frame, sequence++, options.durationMs));
    if (at === 0) return [control, chunk('IDAT', data)];
    return [control, chunk('fdAT', Buffer.concat([numbered(sequence++), data]))];
  });
  return Buffer.concat([
    ...[signature, chunk('IHDR', header(first))],
    chunk('acTL', Buffer.concat([numbered(frames.length), numbered(0)])),
    ...animation,
    ...Object.entries(options.text).map(([keyword, text]) =>
      chunk('comf', Buffer.from(`${keyword}\0${text}`, 'latin1')),
    ),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const numbered = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** The frame covers the picture, and the next one replaces it. */
const frameControl = ({ width, height }: Picture, sequence: number, durationMs: number): Buffer => {
  const data = Buffer.alloc(26);
  data.writeUInt32BE(sequence, 0);
  data.writeUInt32BE(width, 4);
  data.writeUInt32BE(height, 8);
  data.writeUInt16BE(Math.min(durationMs, 0xff_ff), 20);
  data.writeUInt16BE(1000, 22);
  return data;
};
