import type { CliIo } from '../cli-io.js';
import { type EncodedPicture, kittyClear } from '../picture/encode-picture.js';
import { textWidth } from './format.js';

/** Lines at the bottom of a terminal that are redrawn in place. */
export interface LiveBlock {
  /** Redraws the lines; a picture stays above them until the next one or `erase`. */
  readonly draw: (lines: readonly string[], picture?: EncodedPicture) => void;
  /** Erases the block; later output replaces it. */
  readonly erase: () => void;
  /** Erases the block and shows the cursor; idempotent. */
  readonly close: () => void;
}

/** Opens a block on standard error, which must be a terminal; the cursor is hidden from the first drawing to `close`. */
export const openLiveBlock = (io: Pick<CliIo, 'stderr' | 'columns'>, kitty: boolean): LiveBlock => {
  let hidden = false;
  let pictureRows = 0;
  let widths: readonly number[] = [];

  // A narrowed terminal wraps drawn lines, so rows are counted by the current width.
  const lineRows = (): number =>
    widths.reduce((rows, width) => rows + Math.max(1, Math.ceil(width / io.columns())), 0);
  const toTop = (rows: number): string => (rows > 0 ? `\r\u001B[${rows}A` : '\r');
  const eraseSequence = (): string =>
    `${kitty && pictureRows > 0 ? kittyClear : ''}${toTop(lineRows() + pictureRows)}\u001B[J`;

  const erase = (): void => {
    if (widths.length + pictureRows === 0) return;
    io.stderr.write(eraseSequence());
    widths = [];
    pictureRows = 0;
  };

  return {
    draw: (lines, picture) => {
      const start = hidden ? '' : hideCursor;
      const head =
        picture === undefined ? toTop(lineRows()) : `${eraseSequence()}${pictureSequence(picture)}`;
      const body = lines.map((line) => `${line}\u001B[K\r\n`).join('');
      io.stderr.write(`${start}${beginUpdate}${head}${body}\u001B[J${endUpdate}`);
      hidden = true;
      widths = lines.map((line) => textWidth(line.replace(colours, '')));
      pictureRows = picture?.rows ?? pictureRows;
    },
    erase,
    close: () => {
      erase();
      if (hidden) io.stderr.write(showCursor);
      hidden = false;
    },
  };
};

/** Scrolls first to make room, then draws at the saved position and moves below it. */
const pictureSequence = ({ sequence, rows }: EncodedPicture): string =>
  `${'\r\n'.repeat(rows)}\u001B[${rows}A\u001B7${sequence}\u001B8\u001B[${rows}B`;

const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';

// Synchronised update: terminals that support it show each drawing at once, others ignore it.
const beginUpdate = '\u001B[?2026h';
const endUpdate = '\u001B[?2026l';

const colours = /\u001B\[[0-9;]*m/gu;
