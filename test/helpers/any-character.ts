import fc from 'fast-check';

/**
 * Any code point but half a surrogate pair, as the unit of `fc.string`.
 *
 * fast-check's own `unit: 'binary'` makes a table of all 1.1 million of them, in each process that draws one string.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - 0x800 }).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800),
  (character) => {
    const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== character)
      throw new Error('not one character');
    if (point >= 0xd800 && point < 0xe000) throw new Error('half a pair');
    return point < 0xd800 ? point : point - 0x800;
  },
);
