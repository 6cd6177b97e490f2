import { Buffer } from 'node:buffer';
import { decodePicture, pictureFormat, type Pixels, shrink } from './decode-picture.js';

/** The room for a picture, in cells. */
export interface PictureRoom {
  readonly columns: number;
  readonly rows: number;
}

/** A picture as terminal output, and the rows that it takes. */
export interface EncodedPicture {
  readonly sequence: string;
  readonly rows: number;
}

/** The output that shows a picture at the cursor; undefined if it can't be shown. */
export const encodePicture = (
  kind: PictureKind,
  image: Uint8Array,
  room: PictureRoom,
): EncodedPicture | undefined => {
  switch (kind) {
    case 'iterm':
      return encoded(itermPicture(image, room.rows), room.rows);
    case 'kitty':
      return encoded(kittyPicture(image, room.rows), room.rows);
    case 'half-blocks': {
      const pixels = decodePicture(image);
      const drawn = pixels && halfBlocks(pixels, room.columns, room.rows);
      return encoded(drawn?.join('\r\n'), drawn?.length ?? 0);
    }
    case 'none':
      return undefined;
  }
};

const encoded = (sequence: string | undefined, rows: number): EncodedPicture | undefined =>
  sequence === undefined ? undefined : { sequence, rows };

/** How a terminal shows pictures: by one of two protocols, as coloured half-blocks, or not. */
export type PictureKind = 'iterm' | 'kitty' | 'half-blocks' | 'none';

/** Detects the terminal's support from the environment; multiplexers pass on colours only. */
export const pictureKind = (env: Readonly<Record<string, string | undefined>>): PictureKind => {
  const term = env['TERM'] ?? '';
  const program = env['TERM_PROGRAM'] ?? '';
  if (term === 'dumb') return 'none';
  const multiplexed = env['TMUX'] !== undefined || /^(?:screen|tmux)/u.test(term);
  if (!multiplexed) {
    if (env['KITTY_WINDOW_ID'] !== undefined || term === 'xterm-kitty' || term === 'xterm-ghostty')
      return 'kitty';
    if (program === 'ghostty') return 'kitty';
    if (program === 'iTerm.app' || program === 'WezTerm' || env['LC_TERMINAL'] === 'iTerm2') return 'iterm';
  }
  return /^(?:truecolor|24bit)$/u.test(env['COLORTERM'] ?? '') ? 'half-blocks' : 'none';
};

/** Draws a picture as coloured half-blocks, two pixels a cell, in at most `columns` × `rows` cells; a line a row. */
const halfBlocks = (picture: Pixels, columns: number, rows: number): readonly string[] => {
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

/** The sequence that shows a JPEG or PNG inline (OSC 1337), `rows` cells high; `undefined` for other bytes. */
const itermPicture = (image: Uint8Array, rows: number): string | undefined =>
  pictureFormat(image) === undefined
    ? undefined
    : `\u001B]1337;File=inline=1;size=${image.length};height=${rows};preserveAspectRatio=1:${Buffer.from(image).toString('base64')}\u0007`;

/**
 * The sequence of kitty's graphics protocol that shows a picture `rows` cells high without moving the cursor; a second
 * one replaces the first. PNG is sent as it is, JPEG as pixels; undefined for other bytes.
 */
const kittyPicture = (image: Uint8Array, rows: number): string | undefined => {
  if (pictureFormat(image) === 'png') return chunked('f=100', image, rows);
  const pixels = decodePicture(image);
  return pixels && chunked(`f=24,s=${pixels.width},v=${pixels.height}`, pixels.rgb, rows);
};

/** The sequence that removes the picture. */
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
