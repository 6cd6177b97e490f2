import { describe, expect, it } from 'vitest';
import { nalUnit } from '../../../../../src/emulator/engine/files/mp4/nal-unit.js';

describe('nalUnit', () => {
  it('begins with importance and type', () => {
    expect([...nalUnit(3, 7, Uint8Array.of(9))]).toEqual([0x67, 9]);
  });

  it.each([
    [
      [0, 0, 0],
      [0, 0, 3, 0],
    ],
    [
      [0, 0, 1],
      [0, 0, 3, 1],
    ],
    [
      [0, 0, 3],
      [0, 0, 3, 3],
    ],
    [
      [0, 0, 4],
      [0, 0, 4],
    ],
    [
      [0, 1, 0, 0],
      [0, 1, 0, 0],
    ],
    [
      [0, 0, 0, 0, 0, 1],
      [0, 0, 3, 0, 0, 3, 0, 1],
    ],
  ])('escapes %j as %j', (payload, escaped) => {
    expect([...nalUnit(3, 5, Uint8Array.from(payload))].slice(1)).toEqual(escaped);
  });
});
