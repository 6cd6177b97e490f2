import { base64, fromBase64 } from '../../src/server/joblog/base64.js';
import { expect, it } from 'vitest';

it.each([0, 1, 2, 3, 255, 8_191, 8_192, 8_193, 20_000])(
  'writes %i bytes as another implementation does, and reads them again',
  (size) => {
    const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 8)) % 256);
    const text = base64(bytes);
    expect(text).toBe(Buffer.from(bytes).toString('base64'));
    expect(fromBase64(text)).toEqual(bytes);
  },
);
