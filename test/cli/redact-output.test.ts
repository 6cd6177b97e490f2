import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { createOutputRedactor } from '../../src/cli/redact-output.js';
import { spelled } from '../helpers/spelled.js';

const digits = '0123456789abcdefABCDEF';
const keyLike = fc
  .string({ unit: fc.constantFrom(...Array.from(digits)), minLength: 32, maxLength: 64 })
  .map((end) => `comfyui-${end}`);

describe('createOutputRedactor', () => {
  it('H5: hides a word that looks like a key however its characters are spelled', () => {
    const { redact } = createOutputRedactor({});
    fc.assert(
      fc.property(keyLike.chain(spelled), (word) => {
        expect(redact(`<${word}>`)).toBe('<[redacted]>');
      }),
    );
  });

  it("shows what is nobody's secret, and names that only begin like a key", () => {
    const { redact, allow } = createOutputRedactor({});
    const own = `comfyui-${'0123456789abcdef'.repeat(4)}`;
    allow(own);
    expect(redact(`export PROMPTWIRE_API_KEY=${own}`)).toContain(own);
    expect(redact('comfyui%2Dclient.json')).toBe('comfyui%2Dclient.json');
  });
});
