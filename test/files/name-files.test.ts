import { collisionKey, type TakenNames, uniqueName } from '../../src/files/name-files.js';
import { describe, expect, it } from 'vitest';

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

/** The first three planes have every character with another case or composition. */
const changing: readonly string[] = Array.from({ length: 0x3_0000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((name) =>
    [name.toUpperCase(), name.toLowerCase(), name.normalize('NFKD')].some((other) => other !== name),
  );

describe('collisionKey', () => {
  it.each([
    ['upper case', (name: string) => name.toUpperCase()],
    ['lower case', (name: string) => name.toLowerCase()],
    ['the lower case of its upper case', (name: string) => name.toUpperCase().toLowerCase()],
    ['the upper case of its lower case', (name: string) => name.toLowerCase().toUpperCase()],
    ['parts', (name: string) => name.normalize('NFD')],
    ['compatible parts', (name: string) => name.normalize('NFKD')],
    ['one piece', (name: string) => name.normalize('NFKC')],
  ])('G15: law: every character meets itself in %s', (_, other) => {
    const apart = changing.filter((name) => collisionKey(name) !== collisionKey(other(name)));
    expect(apart).toEqual([]);
  });

  it('keeps other names apart', () => {
    const names = ['a', 'b', 'ä', '1', 'a.png', 'a~2.png', 'β', 'ж', '日'];
    expect(new Set(names.map(collisionKey)).size).toBe(names.length);
  });
});
