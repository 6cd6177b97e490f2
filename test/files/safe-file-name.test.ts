import { describe, expect, it } from 'vitest';
import { safeFileName } from '../../src/core/names/safe-file-name.js';

describe('safeFileName', () => {
  it.each([
    ['ComfyUI_00001_.png', 'ComfyUI_00001_.png'],
    ['../../etc/passwd', 'passwd'],
    ['/etc/passwd', 'passwd'],
    ['..\\..\\x.png', 'x.png'],
    ['C:\\x.png', 'x.png'],
    ['C:x.png', 'C_x.png'],
    ['\\\\srv\\share\\x', 'x'],
    ['a/b/', 'file'],
    ['', 'file'],
    ['.', 'file'],
    ['..', 'file'],
    ['...', 'file'],
    ['.bashrc', 'bashrc'],
    ['-rf', 'rf'],
    ['~root', 'root'],
    [' x.png ', 'x.png'],
    ['x.png.', 'x.png'],
    ['x.png. . ', 'x.png'],
    ['a:stream', 'a_stream'],
    ['a\u0000b', 'a_b'],
    ['a\nb', 'a_b'],
    ['abc\u202egnp.exe', 'abc_gnp.exe'],
    ['con', '_con'],
    ['CON.png', '_CON.png'],
    ['..nul.txt', '_nul.txt'],
    ['COM1', '_COM1'],
    ['com10', 'com10'],
    ['LPT1', '_LPT1'],
    ['com².png', '_com².png'],
    ['a..png', 'a..png'],
    ['constant', 'constant'],
    ['balcon.png', 'balcon.png'],
    ['console.png', 'console.png'],
    ['e\u0301.png', '\u00e9.png'],
    ['a?b*c|d"e<f>g', 'a_b_c_d_e_f_g'],
    ['\ud800x.png', '_x.png'],
    ['日本🙂.png', '日本🙂.png'],
  ])('makes %j into %j', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  it.each([
    ['a dot', `${'x'.repeat(199)}.${'y'.repeat(50)}`, 'x'.repeat(199)],
    ['dots and blanks', `${'x'.repeat(195)}. . .${'y'.repeat(50)}`, 'x'.repeat(195)],
    ['a dot before its extension', `${'x'.repeat(195)}.${'y'.repeat(50)}.png`, `${'x'.repeat(195)}.png`],
  ])('G14: leaves no %s where it cuts', (_, name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  it.each([
    ['a name of 200 bytes alone', `${'x'.repeat(194)}..png!`, `${'x'.repeat(194)}..png!`],
    [
      'an extension of 20 bytes',
      `${'x'.repeat(200)}.${'y'.repeat(19)}`,
      `${'x'.repeat(180)}.${'y'.repeat(19)}`,
    ],
    ['no longer one', `${'x'.repeat(200)}.${'y'.repeat(20)}`, 'x'.repeat(200)],
  ])('leaves %s', (_, name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  it('cuts to 200 bytes between characters and keeps the extension', () => {
    const name = safeFileName(`${'日'.repeat(200)}.png`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
    expect(name.endsWith('日.png')).toBe(true);
    expect(Buffer.byteLength(safeFileName('x'.repeat(5000)))).toBe(200);
    expect(Buffer.byteLength(safeFileName(`x.${'y'.repeat(500)}`))).toBe(200);
  });
});
