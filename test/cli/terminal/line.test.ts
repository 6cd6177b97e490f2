import { describe, expect, it } from 'vitest';
import { type Line, paint, safeLine, sanitise } from '../../../src/cli/terminal/line.js';
import { redactor } from '../../../src/node.js';

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

  it('pads a text to its columns, and cuts it to them', () => {
    const cells: Line = [
      { text: 'ab', columns: 4, align: 'left' },
      { text: '7', columns: 3, align: 'right', style: 'dim' },
      '|',
      { text: 'abcdef', columns: 4, align: 'left' },
      { text: 'x', align: 'right' },
    ];
    expect(paint(cells, { colour: false })).toBe('ab    7|abc…x');
    expect(paint(cells, { colour: true })).toBe('ab    \u001B[2m7\u001B[22m|abc…x');
    expect(paint(cells, { colour: false, columns: 5 })).toBe('ab  7');
    expect(paint(cells, { colour: false, columns: 14 })).toBe('ab    7|abc… x');
  });

  const key = 'hushhush-0123456789';
  const redact = redactor([key]);

  it('H1: redacts a key before a text is cut to its columns', () => {
    const line: Line = [{ text: `by ${key}`, columns: 12, align: 'left' }, '|'];
    expect(paint(line, { colour: false, redact })).toBe('by [redacte…|');
  });

  it.each(['\u001B[0m', '\u001B]0;title\u0007', '\u0000', '\u200B', '\u202E', '\u00AD'])(
    'H1: redacts a key that was parted by %j, which is taken out',
    (between) => {
      const parted = Array.from(key).join(between);
      expect(paint([`a ${parted} b`], { colour: false, redact })).toBe('a [redacted] b');
    },
  );

  it('H1: shows no beginning of a key that stands where an endless text is cut', () => {
    for (const at of [0, 1, 8, key.length - 1, 40]) {
      const text = `${'.'.repeat(60 - at)}${key}${'.'.repeat(100_000)}`;
      expect(paint([text], { colour: false, redact, maxLength: 60 })).not.toContain('hushhu');
      expect(safeLine(text, { redact, maxLength: 60 })).toMatch(/^.{50,60}…$/u);
    }
    const parted = Array.from(key).join('\u200B'.repeat(80));
    expect(safeLine(parted, { redact, maxLength: 60 })).not.toContain('hushhu');
  });

  it('lets no sequence of the text through, in any segment', () => {
    const hostile: Line = ['a\u001B[2J', { text: '\u001B]0;x\u0007b', style: 'bold' }];
    expect(paint(hostile, { colour: false })).toBe('ab');
    expect(paint(hostile, { colour: true })).toBe('a\u001B[1mb\u001B[22m');
  });
});

describe('sanitise', () => {
  it.each([
    ['colours', 'a\u001B[31mred\u001B[0m b', 'ared b'],
    ['cursor moves and clearing', 'x\u001B[2J\u001B[1;1H\u001B[?25ly', 'xy'],
    ['a title (OSC ended by BEL)', '\u001B]0;owned\u0007ok', 'ok'],
    ['a link (OSC ended by ST)', '\u001B]8;;http://evil\u001B\\click\u001B]8;;\u001B\\', 'click'],
    ['the clipboard (OSC 52)', 'a\u001B]52;c;ZXZpbA==\u0007b', 'ab'],
    ['colours that never end', 'a\u001B[31', 'a'],
    ['an OSC that never ends', 'a\u001B]0;rest of the line', 'a'],
    ['device control strings', 'a\u001BPq#0\u001B\\b', 'ab'],
    ['kitty graphics', 'a\u001B_Ga=d\u001B\\b', 'ab'],
    ['8-bit CSI and OSC', 'a\u009B31mb\u009D0;t\u009Cc', 'abc'],
    ['two-character escapes', 'a\u001Bcb\u001B7c\u001B(0d', 'abcd'],
    ['a lone escape at the end', 'a\u001B', 'a'],
    ['an escape inside an escape', '\u001B[\u001B[31mx', 'x'],
    ['C0 and C1', 'a\u0000\u0007\u0008b\u007F\u0080\u0099c', 'abc'],
    ['line breaks of every kind', 'a\r\nb\nc\rd\u0085e\u2028f\tg', 'a b c d e f g'],
    ['direction overrides and isolates', 'a\u202Egnp.exe\u2066b\u2069\u200Fc', 'agnp.exebc'],
    ['invisible characters and tags', 'a\u200Bb\uFEFFc\u{E0041}d\u00ADe', 'abcde'],
    ['lone surrogates', 'a\uD800b', 'a\uFFFDb'],
  ])('H10: takes out %s', (_, text, expected) => {
    expect(sanitise(text)).toBe(expected);
  });

  it('keeps what people write: accents, scripts, emoji with joiners', () => {
    const text = 'Žluťoučký 猫 שלום 👩‍💻 é';
    expect(sanitise(text)).toBe(text);
  });

  it('leaves nothing behind that a second pass would find', () => {
    const nested = '\u001B\u001B]0;x\u0007[31m\u001B[\u0007m\u009B\u009B1m';
    expect(sanitise(sanitise(nested))).toBe(sanitise(nested));
    expect(sanitise(nested)).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/u);
  });

  it('cuts what is endless', () => {
    expect(sanitise('a'.repeat(100_000))).toHaveLength(65_537);
    expect(sanitise('abcdef', { maxLength: 3 })).toBe('abc…');
  });
});
