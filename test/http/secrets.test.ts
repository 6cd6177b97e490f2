import { describe, expect, it } from 'vitest';
import { makeSecrets } from '../../src/http/secrets.js';

describe('makeSecrets', () => {
  it('hides keys of its own for good, and the last 32 that submissions carried', () => {
    const { redact, own, carry } = makeSecrets();
    own('own-key-1');
    own('own-key-2');
    for (let number = 1; number <= 33; number += 1) carry(`carried-${number}.`);
    expect(redact('own-key-1 own-key-2')).toBe('[redacted] [redacted]');
    expect(redact('carried-2. carried-33.')).toBe('[redacted] [redacted]');
    expect(redact('carried-1.')).toBe('carried-1.');
  });

  it('keeps one that is carried again longer than those that are not', () => {
    const { redact, carry } = makeSecrets();
    carry('the-first');
    for (let number = 1; number <= 31; number += 1) carry(`carried-${number}.`);
    carry('the-first');
    carry('one-more');
    expect(redact('the-first')).toBe('[redacted]');
    expect(redact('carried-1.')).toBe('carried-1.');
  });
});
