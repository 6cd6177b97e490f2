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

/** What to write, cursor at the room's first cell, to show a picture there; `undefined` where it can't be shown. */
export const encodePicture = (
  kind: PictureKind,
  image: Uint8Array,
  room: PictureRoom,
): string | undefined => {
  switch (kind) {
    case 'iterm':
      return itermPicture(image, room.rows);
    case 'kitty':
      return kittyPicture(image, room.rows);
    case 'half-blocks': {
      const pixels = decodePicture(image);
      return pixels && halfBlocks(pixels, room.columns, room.rows).join('\r\n');
    }
    case 'none':
      return undefined;
  }
};
