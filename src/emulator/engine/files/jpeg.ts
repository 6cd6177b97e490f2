import { quantized, stepsOf, zigzag } from './jpeg-block.js';
import { dcTable, acTable, type HuffmanTable, scanWriter } from './jpeg-scan.js';
import type { Picture } from '../node-class.js';

/**
 * Encodes a picture as JPEG (baseline, ITU-T T.81, without subsampling); `quality` is 1 to 100, default 90.
 *
 * Brightness and both colours share the tables that Annex K of T.81 has for brightness. The same picture gives the same bytes.
 */
export const encodeJpeg = (
  picture: Picture,
  { quality = 90 }: { readonly quality?: number } = {},
): Uint8Array => {
  const steps = stepsOf(quality);
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xdb, [0, ...zigzag.map((place) => steps[place] ?? 1)]),
    segment(0xc0, [8, ...word(picture.height), ...word(picture.width), 3, ...components([0x11, 0])]),
    segment(0xc4, [...tableOf(0x00, dcTable), ...tableOf(0x10, acTable)]),
    segment(0xda, [3, ...components([0x00]), 0, 63, 0]),
    scanOf(picture, steps),
    Buffer.of(0xff, 0xd9),
  ]);
};

const segment = (marker: number, data: readonly number[]): Uint8Array =>
  Uint8Array.from([0xff, marker, ...word(data.length + 2), ...data]);

const word = (value: number): readonly number[] => [value >> 8, value & 255];

/** The same for brightness and both colours, each after its number. */
const components = (each: readonly number[]): readonly number[] => [1, 2, 3].flatMap((id) => [id, ...each]);

const tableOf = (id: number, { counts, values }: HuffmanTable): readonly number[] => [
  id,
  ...counts,
  ...values,
];

/** All blocks of 8 × 8 pixels, row by row; the last pixels repeat where a block reaches beyond the edge. */
const scanOf = (picture: Picture, steps: readonly number[]): Uint8Array => {
  const { width, height } = picture;
  const writer = scanWriter();
  const before = [0, 0, 0];
  const channels = [new Float64Array(64), new Float64Array(64), new Float64Array(64)];
  for (let top = 0; top < height; top += 8) {
    for (let left = 0; left < width; left += 8) {
      readBlock(picture, { top, left }, channels);
      for (const [index, samples] of channels.entries()) {
        const block = quantized(samples, steps);
        writer.block(block, before[index] ?? 0);
        before[index] = block[0] ?? 0;
      }
    }
  }
  return writer.finish();
};

/** Writes brightness and both colours of 64 pixels into the channels, each around zero. */
const readBlock = (
  { width, height, rgb }: Picture,
  { top, left }: { readonly top: number; readonly left: number },
  [brightness, blue, red]: readonly Float64Array[],
): void => {
  if (!brightness || !blue || !red) return;
  for (let place = 0; place < 64; place += 1) {
    const y = Math.min(height - 1, top + (place >> 3));
    const x = Math.min(width - 1, left + (place & 7));
    const at = (y * width + x) * 3;
    const r = rgb[at] ?? 0;
    const g = rgb[at + 1] ?? 0;
    const b = rgb[at + 2] ?? 0;
    const luma = 0.299 * r + 0.587 * g + 0.114 * b;
    brightness[place] = luma - 128;
    blue[place] = (b - luma) / 1.772;
    red[place] = (r - luma) / 1.402;
  }
};
