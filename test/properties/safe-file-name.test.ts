import { collisionKey, type TakenNames, uniqueName } from '../../src/core/names/unique-name.js';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { anyCharacter } from '../helpers/any-character.js';
import { posix, win32 } from 'node:path';
import { safeFileName } from '../../src/core/names/safe-file-name.js';
import { runs } from '../helpers/runs.js';

describe('file names', () => {
  it('law: the result is one name inside the folder, on POSIX and Windows, and a fixed point', () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      'con',
      ':',
      ' ',
      '-',
      '~',
      '\u0000',
      '\u202e',
      'e\u0301',
      'x',
      '.png',
      '🙂',
    );
    const names = fc.oneof(
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.string({ unit: anyCharacter, maxLength: 400 }),
    );
    fc.assert(
      fc.property(names, (name) => {
        const safe = safeFileName(name);
        expect(safe).not.toBe('');
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
        expect(posix.dirname(posix.resolve('/out', safe))).toBe('/out');
        expect(win32.dirname(win32.resolve('C:\\out', safe))).toBe('C:\\out');
        expect(safe).toMatch(/^[^.\-~\s]/u);
        expect(safe).not.toMatch(/[.\s]$/u);
        expect(safeFileName(safe)).toBe(safe);
      }),
      { numRuns: runs(1000) },
    );
  });
  it('law: n names in, n keys out', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'A', 'a~2', 'ß', 'SS', 'ﬁ', 'fi', 'a.b', 'a~2.b')),
        (names) => {
          const taken: TakenNames = new Map();
          const unique = names.map((name) => uniqueName(name, taken));
          expect(new Set(unique.map(collisionKey)).size).toBe(names.length);
        },
      ),
      { numRuns: runs(1000) },
    );
  });
});
