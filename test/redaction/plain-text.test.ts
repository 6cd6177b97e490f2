import { describe, expect, it } from 'vitest';
import { plainText } from '../../src/core/redaction/plain-text.js';

describe('plainText', () => {
  it.each([
    ['plain', 'plain'],
    [' \u001b[1m at the edge\n', 'at the edge'],
    ['a\nb\r\nc\td', 'a b c d'],
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u009b2Jx', 'x'],
    ['\u001b]0;title\u0007x', 'x'],
    ['\u001b]8;;http://e.vil\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['\u001bPq#0;2;0;0;0\u001b\\x', 'x'],
    ['\u001b(Bx', 'x'],
    ['\u001bcx', 'x'],
    ['x\u001b((', 'x'],
    ['a\u0000\u0007\u0008b', 'ab'],
    ['abc\u202egnp.exe', 'abcgnp.exe'],
    ['a\u200bb\ufeffc', 'abc'],
    ['a\u2028b', 'a b'],
    ['\u001b[', ''],
    ['\u001b]0;never ended', ''],
  ])('H10: cleans %j', (text, clean) => {
    expect(plainText(text)).toBe(clean);
  });

  it('keeps letters of every script', () => {
    expect(plainText('héllo 日本 🙂 ✗')).toBe('héllo 日本 🙂 ✗');
  });

  it('cuts long text', () => {
    expect(plainText('x '.repeat(50), 10)).toBe('x x x x …');
    expect(plainText('x'.repeat(10), 10)).toBe('xxxxxxxxxx');
    expect(plainText('x'.repeat(2000))).toBe('x'.repeat(2000));
    expect(plainText('x'.repeat(2001))).toBe(`${'x'.repeat(975)}…`);
  });

  it('looks at four times as much as it keeps, and at the longest secret beyond that', () => {
    const shown = (before: number): string => plainText('\0'.repeat(before) + 'x', 10);
    expect([shown(40 + 1023), shown(40 + 1024)]).toEqual(['x', '…']);
  });

  it('needs time linear in the text, also for sequences that never end', () => {
    const text = plainText('\u001b]'.repeat(100_000), 100_000);
    expect(text).toBe('');
  });
});
