import { describe, expect, it } from 'vitest';
import { fileSize } from '../../../src/cli/terminal/file-size.js';

describe('fileSize', () => {
  it.each([
    [0, '0 B'],
    [412, '412 B'],
    [3_400, '3.4 kB'],
    [12_300_000, '12 MB'],
    [2e15, '2000 TB'],
  ])('of %i bytes is %s', (bytes, text) => {
    expect(fileSize(bytes)).toBe(text);
  });
});
