import { describe, expect, it } from 'vitest';
import { redactor, sampleOf } from '../../src/core/redaction/redact.js';

describe('sampleOf', () => {
  it.each(['\u001b[0m', '\u001b]0;title\u0007', '\u0000', '\u200b', '\u202e', '\u007f'])(
    'H3: redacts a secret that was parted by %j, which is taken out',
    (between) => {
      const redact = redactor(['hushhush-0123456789']);
      expect(sampleOf(`a hushhush${between}-0123456789 b`, 80, redact)).toBe('a [redacted] b');
    },
  );

  it('H3: shows no beginning of a secret that control characters part, where the text is cut', () => {
    const redact = redactor(['hushhush-0123456789']);
    const parted = (parts: number) => Array.from('hushhush-0123456789').join('\u200b'.repeat(parts));
    for (const parts of [40, 80, 120]) expect(sampleOf(parted(parts), 80, redact)).not.toContain('hushhu');
  });
});
