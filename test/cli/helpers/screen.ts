/** A terminal of so many columns and rows that knows the few sequences that the live block uses. */
export interface Screen {
  readonly feed: (text: string) => void;
  /** What is to be seen, lines that scrolled away first, trailing blanks cut. */
  readonly lines: () => readonly string[];
  readonly cursorVisible: () => boolean;
}

const token =
  /\u001B\[(\??[\d;]*)([A-Za-z])|\u001B([78])|\u001B[\]_][^\u0007\u001B]*(?:\u0007|\u001B\\)|[^]/gu;

/** Makes a screen; any sequence that it does not know throws. */
export const screen = (columns: number, rows: number): Screen => {
  const cells: string[][] = [[]];
  let row = 0;
  let column = 0;
  let saved: readonly [number, number] = [0, 0];
  let visible = true;

  const line = (at: number): string[] => {
    while (cells.length <= at) cells.push([]);
    return cells[at] ?? [];
  };
  const top = (): number => Math.max(0, cells.length - rows);
  const put = (character: string): void => {
    if (column >= columns) {
      row += 1;
      column = 0;
    }
    const cellsOfRow = line(row);
    while (cellsOfRow.length < column) cellsOfRow.push(' ');
    cellsOfRow[column] = character;
    column += 1;
  };
  const csi = (parameters: string, final: string): void => {
    const count = Number(parameters) || 1;
    if (final === 'A') row = Math.max(top(), row - count);
    else if (final === 'B') row = Math.min(top() + rows - 1, row + count);
    else if (final === 'K') line(row).splice(column);
    else if (final === 'J') {
      line(row).splice(column);
      cells.splice(row + 1);
    } else if (parameters === '?25') visible = final === 'h';
    else if (final !== 'm' && parameters !== '?2026')
      throw new Error(`unknown sequence CSI ${parameters}${final}`);
  };

  return {
    feed: (text) => {
      for (const [whole, parameters = '', final, saving] of text.matchAll(token)) {
        if (final !== undefined) csi(parameters, final);
        else if (saving === '7') saved = [row, column];
        else if (saving === '8') [row, column] = saved;
        else if (whole === '\r') column = 0;
        else if (whole === '\n') {
          row += 1;
          line(row);
        } else if (!whole.startsWith('\u001B')) put(whole);
      }
    },
    lines: () => {
      const all = cells.map((cellsOfRow) => cellsOfRow.join('').trimEnd());
      while (all.at(-1) === '') all.pop();
      return all;
    },
    cursorVisible: () => visible,
  };
};
