import { describe, expect, it } from 'vitest';
import { lawWithinMs } from '../helpers/patient.js';
import { redactor } from '../../src/core/redaction/redact.js';
import { runs } from '../helpers/runs.js';

const secret = 'comfy/+k3y "ü"~\\x';

describe('redactor', () => {
  it(
    'H20: takes linear time for a long text, a megabyte in all runs, that its patterns match in many ways',
    { timeout: lawWithinMs },
    () => {
      // In base64 each of them begins or ends in the digit that JSON may escape.
      for (const hushed of ['???a-secret-of-ours???', 'a-secret-of-ours-?a??', secret, 'a-\\\\\\-secret']) {
        const redact = redactor([hushed]);
        for (const part of [
          '\\',
          '%25',
          '\\u',
          '\0',
          '\\\0',
          '\\u0000',
          '%',
          'a',
          hushed.slice(0, 6),
          hushed.slice(-6),
        ]) {
          const text = part.repeat(runs(1_000_000) / part.length);
          expect(redact(`${text}${hushed}`).endsWith('[redacted]')).toBe(true);
        }
      }
    },
  );
});
