import { describe, expect, it } from 'vitest';
import { type TakenNames, uniqueName } from '../../../src/protocol/names/unique-name.js';

describe('uniqueName', () => {
  it('numbers names that would meet, whatever their case and composition', () => {
    const taken: TakenNames = new Map();
    const names = [
      'A.png',
      'a.png',
      'a~2.png',
      '\u00e9',
      'e\u0301',
      'b',
      '.hidden',
      '.hidden',
      'B',
      'c.d.png',
      'c.d.png',
      'b',
    ];
    expect(names.map((name) => uniqueName(name, taken))).toEqual([
      'A.png',
      'a~2.png',
      'a~2~2.png',
      '\u00e9',
      'e\u0301~2',
      'b',
      '.hidden',
      '.hidden~2',
      'B~2',
      'c.d.png',
      'c.d~2.png',
      'b~3',
    ]);
  });
});
