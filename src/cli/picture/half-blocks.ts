import type { Pixels } from './pixels.js';
import { shrink } from './shrink.js';

/** Draws a picture as coloured half-blocks, two pixels a cell, in at most `columns` × `rows` cells; a line a row. */
export const halfBlocks = (picture: Pixels, columns: number, rows: number): readonly string[] => {
  const small = shrink(picture, columns, rows * 2);
  return Array.from({ length: Math.ceil(small.height / 2) }, (_, row) => {
    const cells = Array.from({ length: small.width }, (_, x) => cell(small, x, row * 2));
    return `${cells.join('')}\u001B[0m`;
  });
};

const cell = (picture: Pixels, x: number, y: number): string => {
  const upper = `\u001B[38;2;${colour(picture, x, y)}m`;
  return y + 1 < picture.height
    ? `${upper}\u001B[48;2;${colour(picture, x, y + 1)}m▀`
    : `${upper}\u001B[49m▀`;
};

const colour = ({ rgb, width }: Pixels, x: number, y: number): string =>
  rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3).join(';');
