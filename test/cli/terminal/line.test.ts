import { describe, expect, it } from 'vitest';
import { type Line, paint } from '../../../src/cli/terminal/line.js';

describe('paint', () => {
  const line: Line = [{ text: 'Error: ', style: 'red' }, 'no such file'];

  it('colours only where there are colours', () => {
    expect(paint(line, { colour: false })).toBe('Error: no such file');
    expect(paint(line, { colour: true })).toBe('\u001B[31mError: \u001B[39mno such file');
  });

  it('cuts by visible columns, colours not counted', () => {
    expect(paint(line, { colour: true, columns: 10 })).toBe('\u001B[31mError: \u001B[39mno…');
    expect(paint(line, { colour: false, columns: 3 })).toBe('Er…');
  });

  it('lets no sequence of the text through, whatever segment it hides in', () => {
    const hostile: Line = ['a\u001B[2J', { text: '\u001B]0;x\u0007b', style: 'bold' }];
    expect(paint(hostile, { colour: false })).toBe('ab');
    expect(paint(hostile, { colour: true })).toBe('a\u001B[1mb\u001B[22m');
  });
});
