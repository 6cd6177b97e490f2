import type { Picture } from '../../node-class.js';

/** A frame cut into macroblocks of 16 × 16 pixels, row by row: 256 bytes luma, then 64 and 64 bytes chroma each. */
export interface MacroblockFrame {
  readonly columns: number;
  readonly rows: number;
  readonly blocks: readonly Uint8Array[];
}

/**
 * Turns a picture into macroblocks in YUV 4:2:0 (BT.601, limited range).
 *
 * Where the size is no multiple of 16, the last row and column of pixels go on to the edge of the blocks.
 */
export const macroblocksOf = (picture: Picture): MacroblockFrame => {
  const columns = Math.ceil(picture.width / 16);
  const rows = Math.ceil(picture.height / 16);
  const blocks = Array.from({ length: columns * rows }, (_, index) =>
    blockAt(picture, (index % columns) * 16, Math.floor(index / columns) * 16),
  );
  return { columns, rows, blocks };
};

const blockAt = (picture: Picture, left: number, top: number): Uint8Array => {
  const block = new Uint8Array(384);
  for (let y = 0; y < 16; y += 2) {
    for (let x = 0; x < 16; x += 2) {
      let blue = 0;
      let red = 0;
      for (let corner = 0; corner < 4; corner += 1) {
        const column = x + (corner & 1);
        const row = y + (corner >> 1);
        const [r, g, b] = pixelAt(picture, left + column, top + row);
        block[row * 16 + column] = Math.round(16 + 0.2568 * r + 0.5041 * g + 0.0979 * b);
        blue += 128 - 0.1482 * r - 0.291 * g + 0.4392 * b;
        red += 128 + 0.4392 * r - 0.3678 * g - 0.0714 * b;
      }
      block[256 + (y >> 1) * 8 + (x >> 1)] = Math.round(blue / 4);
      block[320 + (y >> 1) * 8 + (x >> 1)] = Math.round(red / 4);
    }
  }
  return block;
};

const pixelAt = (
  { width, height, rgb }: Picture,
  x: number,
  y: number,
): readonly [number, number, number] => {
  const at = (Math.min(y, height - 1) * width + Math.min(x, width - 1)) * 3;
  return [rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0];
};
