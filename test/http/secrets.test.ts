import { describe, expect, it } from 'vitest';
import { makeSecrets } from '../../src/core/http/secrets.js';

const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('makeSecrets', () => {
  it.each([
    ['addOwnKey', 5],
    ['addPartnerKey', 8],
  ] as const)(
    'hides the last keys of %s, and no more, so that a client of years costs no more',
    (name, most) => {
      const secrets = makeSecrets();
      for (const number of numbers(1, most + 1)) secrets[name](`the-key-${number}.`);
      expect(secrets.redact('the-key-1.')).toBe('the-key-1.');
      for (const number of numbers(2, most + 1))
        expect(secrets.redact(`the-key-${number}.`)).toBe('[redacted]');
    },
  );

  it('hides a key of its own, however many are carried, and the other way round', () => {
    const { redact, addOwnKey: own, addPartnerKey: carry } = makeSecrets();
    own('own-key');
    for (const number of numbers(1, 20)) carry(`carried-${number}.`);
    expect(redact('own-key')).toBe('[redacted]');
    for (const number of numbers(1, 20)) own(`other-${number}.`);
    expect(redact('carried-20.')).toBe('[redacted]');
  });

  it('keeps one that is used again longer than those that are not', () => {
    const { redact, addPartnerKey: carry } = makeSecrets();
    carry('the-first');
    for (const number of numbers(1, 7)) carry(`carried-${number}.`);
    carry('the-first');
    carry('one-more');
    expect(redact('the-first')).toBe('[redacted]');
    expect(redact('carried-1.')).toBe('carried-1.');
  });

  it('H16: hides them in values as well, unless the text that a value was read from holds none', () => {
    const { redact, redactValue, addOwnKey: own, addPartnerKey: carry } = makeSecrets();
    const value = { a: 'own-key carried-key' };
    expect(redactValue(value)).toBe(value);
    expect(redact('own-key')).toBe('own-key');
    own('own-key.');
    carry('carried-key.');
    const told = { a: 'own-key. carried-key.' };
    expect(redactValue(told)).toEqual({ a: '[redacted] [redacted]' });
    expect(redactValue(told, JSON.stringify(told))).toEqual({ a: '[redacted] [redacted]' });
    expect(redactValue(told, 'a text without it')).toBe(told);
  });

  it('hides the secrets of the last four sets of headers', () => {
    const { redact, addHeaders } = makeSecrets();
    for (const number of numbers(1, 5)) addHeaders([`token-${number}.`, `session-${number}.`]);
    expect(redact('token-1. session-1.')).toBe('token-1. session-1.');
    for (const number of numbers(2, 5))
      expect(redact(`token-${number}. and session-${number}.`)).toBe('[redacted] and [redacted]');
  });

  it('hides nothing more where headers hold no secret', () => {
    const { redact, redactValue, addHeaders } = makeSecrets();
    addHeaders([]);
    expect([redact('a text'), redactValue({ a: 'text' })]).toEqual(['a text', { a: 'text' }]);
  });
});
