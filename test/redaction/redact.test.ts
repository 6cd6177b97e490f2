import { describe, expect, it } from 'vitest';
import { encodingsOf } from '../helpers/canary.js';
import fc from 'fast-check';
import { lawWithinMs } from '../helpers/patient.js';
import { redactor, sampleOf } from '../../src/core/redaction/redact.js';
import { spelled } from '../helpers/spelled.js';
import { runs } from '../helpers/runs.js';

const secret = 'comfy/+k3y "ü"~\\x';
const bytes = Buffer.from(secret);
const percentAll = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const jsonAll = Array.from(secret, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(
  '',
);

const encodings: readonly (readonly [string, string])[] = [
  ['raw', secret],
  ['upper case', secret.toUpperCase()],
  ['percent', encodeURIComponent(secret)],
  ['percent, lower case', encodeURIComponent(secret).toLowerCase()],
  ['percent, every byte', percentAll],
  ['percent, twice', encodeURIComponent(encodeURIComponent(secret))],
  ['form', new URLSearchParams({ k: secret }).toString().slice(2)],
  ['JSON', JSON.stringify(secret).slice(1, -1)],
  ['JSON, twice', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ['JSON, every character', jsonAll],
  ['JSON, slashes too', JSON.stringify(secret).slice(1, -1).replace('/', '\\/')],
  ['hex', bytes.toString('hex')],
  ['hex, upper case', bytes.toString('hex').toUpperCase()],
  ['hex, spaced', bytes.toString('hex').replaceAll(/../g, '$& ').trim()],
  ['UTF-16', Buffer.from(secret, 'utf16le').toString('latin1').replaceAll('\xfc', 'ü').slice(0, -1)],
  ['reversed', Array.from(secret).reverse().join('')],
];

describe('redactor', () => {
  it.each(encodings)('finds the secret %s', (_, encoded) => {
    expect(redactor([secret])(`before ${encoded} after`)).toBe('before [redacted] after');
  });

  it.each([0, 1, 2, 3, 4])('finds the secret in base64 and base64url, %d bytes into other data', (before) => {
    const data = Buffer.concat([Buffer.alloc(before, 'u'), bytes, Buffer.from(':tail')]);
    for (const encoding of ['base64', 'base64url'] as const) {
      const redacted = redactor([secret])(`Basic ${data.toString(encoding)}`);
      expect(redacted).toContain('[redacted]');
      const left = Buffer.from(redacted.replace('Basic ', '').replace('[redacted]', ''), encoding);
      expect(left.toString('latin1')).not.toContain('omfy');
    }
  });

  it('finds a secret with control characters, whose bytes have a leading zero', () => {
    const text = 'open\tthe\ndoor';
    for (const [, encoded] of encodingsOf(text)) expect(redactor([text])(encoded)).toContain('[redacted]');
  });

  it('leaves nothing of a secret that a shorter one begins', () => {
    const redact = redactor(['s3cret-key-1', 's3cret-key-12']);
    expect(redact('key s3cret-key-12, reversed 21-yek-terc3s')).toBe('key [redacted], reversed [redacted]');
  });

  it('H3: finds any secret in any of the encodings', { timeout: lawWithinMs }, () => {
    const secrets = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 24 });
    fc.assert(
      fc.property(secrets, fc.nat(5), (key, before) => {
        const padded = `${'p'.repeat(before)}${key}`;
        const forms = [
          key,
          encodeURIComponent(key),
          new URLSearchParams({ k: key }).toString().slice(2),
          JSON.stringify(key).slice(1, -1),
          Buffer.from(key).toString('hex'),
          Array.from(key).reverse().join(''),
        ];
        const redact = redactor([key]);
        for (const form of forms) expect(redact(`<${form}>`)).toBe('<[redacted]>');
        expect(redact(Buffer.from(padded).toString('base64'))).toContain('[redacted]');
        expect(redact(Buffer.from(padded).toString('base64url'))).toContain('[redacted]');
      }),
      { numRuns: runs(1000) },
    );
  });

  it('H3: finds any secret however each of its characters is spelled', { timeout: lawWithinMs }, () => {
    const secrets = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 24 });
    const spellings = secrets.chain((key) => fc.tuple(fc.constant(key), spelled(key)));
    fc.assert(
      fc.property(spellings, ([key, text]) => {
        expect(redactor([key])(`<${text}>`)).toBe('<[redacted]>');
      }),
      { numRuns: runs(300) },
    );
  });

  it.each(['u', 'U', 'x', 'X'])('H3: leaves nothing of an escape behind a backslash, for %s', (last) => {
    const code = last.charCodeAt(0).toString(16);
    for (const escaped of [`\\u00${code}`, `\\\\u00${code}`, `\\x${code}`, `\\\\x${code}`]) {
      expect(redactor([`a secret \\${last}`])(`<a secret \\${escaped}>`)).toBe('<[redacted]>');
    }
  });

  it.each([
    ['both code units of a character', 'a-🎈-secret', '<a-\\ud83c\\udf88-secret>'],
    ['each byte of a character', 'a-🎈-secret', '<a-\\xf0\\x9f\\x8e\\x88-secret>'],
    ['a letter, as JSON escapes a tab', 'a-\t-secret', '<a-\\t-secret>'],
    ['a character in JSON within JSON, twice', 'a-b-secret', `<a-${'\\'.repeat(8)}u0062-secret>`],
  ])('H3: finds the escapes of %s', (_, hushed, text) => {
    expect(redactor([hushed])(text)).toBe('<[redacted]>');
  });

  it.each([
    'hush+secret',
    'hush\\secret',
    'hush\\\\secret',
    'h68ush-secret',
    'h0068ush-secret',
    'hush\\undefinedsecret',
  ])('H16: leaves %s, where something else stands for a character or behind one', (text) => {
    expect(redactor(['hush-secret'])(text)).toBe(text);
  });

  it('H3: finds a run of backslashes escaped twice, and none that is much longer', () => {
    const redact = redactor(['a-\\\\\\-secret']);
    const run = (length: number): string => `<a-${'\\'.repeat(length)}-secret>`;
    expect([3, 6, 12].map((length) => redact(run(length)))).toEqual(new Array(3).fill('<[redacted]>'));
    expect([2, 17].map((length) => redact(run(length)))).toEqual([2, 17].map(run));
  });

  const utf16 = 'a-\\\\\\-secret'.split('').join('\0');
  const json = (text: string): string => JSON.stringify(text).slice(1, -1);
  it.each([
    ['alone', utf16],
    ['in JSON', json(utf16)],
    ['in JSON within JSON', json(json(utf16))],
    ['percent encoded', encodeURIComponent(utf16)],
    ['with each character escaped', utf16.replaceAll('\\', '\\u005c').replaceAll('\0', '\\u0000')],
    ['with each byte escaped', utf16.replaceAll('\\', '\\x5c').replaceAll('\0', '\\x00')],
  ])('H3: finds a run of backslashes in UTF-16, %s, also reversed', (_, text) => {
    expect(redactor(['a-\\\\\\-secret'])(`<${text}>`)).toBe('<[redacted]>');
    expect(redactor(['terces-\\\\\\-a'])(`<${text}>`)).toBe('<[redacted]>');
  });

  it('replaces every occurrence of every secret', () => {
    expect(redactor(['alpha1', 'beta22'])('alpha1 beta22 alpha1')).toBe('[redacted] [redacted] [redacted]');
  });

  it('leaves other text alone, and all of it without secrets', () => {
    expect(redactor(['alpha1'])('alpha2 $& 1')).toBe('alpha2 $& 1');
    expect(redactor([])('alpha')).toBe('alpha');
    expect(redactor([''])('alpha')).toBe('alpha');
  });

  it('takes a secret of pattern characters literally', () => {
    const redact = redactor(['.*[a-z]+(x|y)?$^{2}']);
    expect(redact('anything')).toBe('anything');
    expect(redact('<.*[a-z]+(x|y)?$^{2}>')).toBe('<[redacted]>');
  });
});

describe('sampleOf', () => {
  it.each([
    ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['window titles', '\u001b]0;owned\u0007x', 'x'],
    ['links', '\u001b]8;;https://x\u001b\\click\u001b]8;;\u001b\\', 'click'],
    ['an escape without end', 'a\u001b]52;c;AAAA', 'a'],
    ['C1 controls', 'a\u009b31mb', 'ab'],
    ['line breaks', 'a\r\nb\tc\u2028d', 'a b c d'],
    ['NUL and DEL', '\0a\u007fb', 'ab'],
    ['turned text', 'a\u202egnp.exe\u2066b\u200f', 'agnp.exeb'],
  ])('removes %s', (_, text, sample) => expect(sampleOf(text, 80)).toBe(sample));

  it.each([
    ['wss://h/ws?clientId=1&token=abc.def-1', 'wss://h/ws?clientId=1&token=[redacted]'],
    ['wss://h/ws?token=abc&clientId=1', 'wss://h/ws?token=[redacted]&clientId=1'],
    ['X-API-Key: abcdef', 'X-API-Key: [redacted]'],
    ["{'x-api-key': 'abcdef', 'b': 1}", "{'x-api-key': '[redacted]', 'b': 1}"],
    ['{"api_key_partner_org":"abc"}', '{"api_key_partner_org":"[redacted]"}'],
    ['{\\"token\\": \\"abc\\"}', '{\\"token\\": \\"[redacted]\\"}'],
    ['Authorization: Bearer abc.def', 'Authorization: Bearer [redacted]'],
    ['Authorization: abc', 'Authorization: [redacted]'],
    ['key comfyui-0123456789abcdef here', 'key [redacted] here'],
    ['https://s/x?X-Goog-Signature=ab12&y=1', 'https://s/x?X-Goog-Signature=[redacted]&y=1'],
    ['apikey=abc', 'apikey=[redacted]'],
    ['?sig=ab12&y=1', '?sig=[redacted]&y=1'],
    ['X-Amz-Credential: ab12', 'X-Amz-Credential: [redacted]'],
    ['token=abc&secret=def', 'token=[redacted]&secret=[redacted]'],
    ['Bearer   abc, Bearer def', 'Bearer   [redacted], Bearer [redacted]'],
    ['no forbearer is redacted', 'no forbearer is redacted'],
    ['no token here', 'no token here'],
  ])('redacts %s', (text, sample) => expect(sampleOf(text, 80)).toBe(sample));

  it('H3: redacts what looks like a key however its characters are spelled', () => {
    const keyLike = fc.stringMatching(/^comfyui-[\w-]{1,64}$/);
    fc.assert(
      fc.property(keyLike.chain(spelled), (word) => {
        expect(sampleOf(`a ${word}%20b&c`, 80)).toBe('a [redacted]%20b&c');
      }),
    );
  });

  it('cuts to at most max units, and not through a character', () => {
    expect(sampleOf('x'.repeat(80), 80)).toBe('x'.repeat(80));
    expect(sampleOf('x'.repeat(81), 80)).toBe(`${'x'.repeat(79)}…`);
    expect(sampleOf('🎈'.repeat(41), 80)).toBe(`${'🎈'.repeat(39)}…`);
    expect(sampleOf('x'.repeat(10_000_000), 80)).toHaveLength(80);
  });

  it('reads at most 8 times as much as it shows', () => {
    const sample = (before: number): string => sampleOf(`${'\0'.repeat(before)}${'x'.repeat(9000)}`, 80);
    expect([sample(639), sample(640)]).toEqual(['x…', '…']);
    const whole = 8 * 80 + 1024;
    expect([whole, whole + 1].map((length) => sampleOf(`a${'\0'.repeat(length - 1)}`, 80))).toEqual([
      'a',
      '…',
    ]);
  });

  it('H14: finds a secret that control characters split', () => {
    const redact = redactor(['hushhush-0123456789']);
    for (const within of ['\u0007', '\u001b[31m', '\u200b', '\u001b]0;title\u0007']) {
      expect(sampleOf(`a hushhush-${within}0123456789 b`, 80, redact)).toBe('a [redacted] b');
    }
  });

  it('shows no half of a secret at the cut', () => {
    const redact = redactor(['hushhush-0123456789']);
    for (let before = 0; before < 2000; before += 1) {
      const sample = sampleOf(`${'\n'.repeat(before)}hushhush-0123456789${'\n'.repeat(3000)}`, 80, redact);
      expect(sample).not.toContain('hush');
    }
  });
});
