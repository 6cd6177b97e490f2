import { decodePicture } from './decode-picture.js';
import { halfBlocks } from './half-blocks.js';
import { itermPicture } from './iterm-picture.js';
import { kittyPicture } from './kitty-picture.js';
import type { PictureKind } from './picture-kind.js';

/** The room for a picture, in cells. */
export interface PictureRoom {
  readonly columns: number;
  readonly rows: number;
}

/** A picture ready to be written where the cursor is, and the rows that it takes. */
export interface EncodedPicture {
  readonly sequence: string;
  readonly rows: number;
}

/** What to write, cursor at the room's first cell, to show a picture there; `undefined` where it can't be shown. */
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
