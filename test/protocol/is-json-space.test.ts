import { describe, expect, it } from 'vitest';
import { isJsonSpace } from '../../src/protocol/is-json-space.js';

describe('isJsonSpace', () => {
  it('says of each character what JSON.parse does', () => {
    const parses = (code: number): boolean => {
      try {
        return JSON.parse(`${String.fromCharCode(code)}true`) === true;
      } catch {
        return false;
      }
    };
    for (let code = 0; code < 0x1_0000; code += 1)
      if (isJsonSpace(code) !== parses(code)) expect(code).toBe(-1);
    expect(isJsonSpace(0x20)).toBe(true);
    expect([undefined, Number.NaN].some(isJsonSpace)).toBe(false);
  });
});
