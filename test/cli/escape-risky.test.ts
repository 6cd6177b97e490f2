import { expect, it } from 'vitest';
import { escapeRisky } from '../../src/cli/escape-risky.js';

it.each([
  ['DEL and C1', '\u007F\u0080\u009F', '\\u007f\\u0080\\u009f'],
  [
    'marks and overrides of direction',
    '\u061C\u200E\u200F\u202A\u202E\u2066\u2069',
    '\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069',
  ],
  [
    'what no reader sees',
    '\u00AD\u180E\u200B\u200C\u2060\u206F\uFEFF\uFFF9\uFFFB',
    '\\u00ad\\u180e\\u200b\\u200c\\u2060\\u206f\\ufeff\\ufff9\\ufffb',
  ],
  ['separators of lines', '\u2028\u2029', '\\u2028\\u2029'],
  ['tags', '\u{E0000}\u{E0041}\u{E007F}', '\\udb40\\udc00\\udb40\\udc41\\udb40\\udc7f'],
])('writes %s as escapes, which JSON reads as the same', (_, text, escaped) => {
  expect(escapeRisky(text)).toBe(escaped);
  expect(JSON.parse(`"${escapeRisky(text)}"`)).toBe(text);
});

it('leaves what people write, joiners of emoji and variants of letters among it', () => {
  const text = '{"a": "Žluťoučký 猫 שלום 👩‍💻 葛\u{E0100}"}';
  expect(escapeRisky(text)).toBe(text);
});
