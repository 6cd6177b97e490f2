import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openLiveBlock } from '../../../src/cli/terminal/live-block.js';
import { screen } from '../helpers/screen.js';

const opened = (kitty = false, columns = 20, rows = 10) => {
  const stderr = new PassThrough();
  const shown = screen(columns, rows);
  let width = columns;
  let written = '';
  stderr.write = ((text: string) => {
    written += text;
    shown.feed(text);
    return true;
  }) as typeof stderr.write;
  return {
    block: openLiveBlock({ stderr, columns: () => width }, kitty),
    ...{ shown, written: () => written, print: (text: string) => stderr.write(`${text}\r\n`) },
    narrow: (to: number) => {
      width = to;
    },
  };
};
const [hides, shows] = ['\u001B[?25l', '\u001B[?25h'];
const clearsPicture = '\u001B_Ga=d,d=I,i=7321,q=2\u001B\\';

describe('openLiveBlock', () => {
  it('draws over what it drew, fewer lines as well', () => {
    const { block, shown } = opened();
    block.draw(['one', 'two']);
    block.draw(['three', 'four']);
    expect(shown.lines()).toEqual(['three', 'four']);
    block.draw(['5']);
    expect(shown.lines()).toEqual(['5']);
  });

  it('makes room for what is printed after it is erased', () => {
    const { block, shown, print } = opened();
    print('before');
    block.draw(['one', 'two']);
    block.erase();
    print('printed');
    block.draw(['three']);
    expect(shown.lines()).toEqual(['before', 'printed', 'three']);
  });

  it('erases nothing twice', () => {
    const { block, shown, print } = opened();
    block.erase();
    print('before');
    block.draw(['one']);
    block.erase();
    block.erase();
    expect(shown.lines()).toEqual(['before']);
  });

  it('hides the cursor from the first drawing to its end, and writes nothing before or after', () => {
    const { block, written } = opened();
    block.close();
    expect(written()).toBe('');
    block.draw(['one']);
    block.draw(['two']);
    expect(written().split(hides)).toHaveLength(2);
    expect(written()).not.toContain(shows);
    block.close();
    expect(written().endsWith(shows)).toBe(true);
    const closed = written();
    block.close();
    expect(written()).toBe(closed);
  });

  it('draws each time in one update', () => {
    const { block, written } = opened();
    block.draw(['one']);
    expect(written()).toBe(`${hides}\u001B[?2026h\rone\u001B[K\r\n\u001B[J\u001B[?2026l`);
  });

  it('counts the rows of lines that wrap since the terminal is narrower, colours left out', () => {
    const { block, written, narrow } = opened();
    block.draw(['\u001B[31m123456789\u001B[39m', '12345', '']);
    narrow(5);
    block.draw(['x']);
    // Two rows, one and one.
    expect(written().split('\u001B[?2026h')[2]).toMatch(/^\r\u001B\[4A/u);
  });

  it('keeps a picture above the lines until the next one', () => {
    const { block, shown } = opened();
    const picture = { sequence: '▀▀\r\n▄▄', rows: 2 };
    block.draw(['one'], picture);
    expect(shown.lines()).toEqual(['▀▀', '▄▄', 'one']);
    block.draw(['two']);
    expect(shown.lines()).toEqual(['▀▀', '▄▄', 'two']);
    block.draw(['three'], { sequence: '██', rows: 1 });
    expect(shown.lines()).toEqual(['██', 'three']);
    block.erase();
    expect(shown.lines()).toEqual([]);
  });

  it('takes a picture away from kitty, and only where there is one', () => {
    const { block, written } = opened(true);
    block.draw(['one']);
    block.erase();
    expect(written()).not.toContain(clearsPicture);
    block.draw(['one'], { sequence: '', rows: 2 });
    block.draw(['two']);
    expect(written()).not.toContain(clearsPicture);
    block.erase();
    expect(written().split(clearsPicture)).toHaveLength(2);
    const other = opened(false);
    other.block.draw(['one'], { sequence: '', rows: 2 });
    other.block.close();
    expect(other.written()).not.toContain(clearsPicture);
  });
});
