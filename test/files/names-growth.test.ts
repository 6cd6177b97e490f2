import { afterEach, describe, expect, it, vi } from 'vitest';
import { safeFileName } from '../../src/core/names/safe-file-name.js';
import { type TakenNames, uniqueName } from '../../src/core/names/unique-name.js';

/** The characters that are handed to what may take more than one step for each of them. */
const countLookedAt = (): (() => number) => {
  let lookedAt = 0;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own object
  const { replace, normalize } = String.prototype;
  vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form) {
    lookedAt += this.length;
    return normalize.call(this, form);
  });
  vi.spyOn(String.prototype, 'replace').mockImplementation(function (
    this: string,
    ...replacement: unknown[]
  ) {
    lookedAt += this.length;
    return replace.apply(this, replacement as Parameters<typeof replace>);
  });
  return () => lookedAt;
};

afterEach(() => {
  vi.restoreAllMocks();
});

const lookedAtBy = (work: () => void): number => {
  const lookedAt = countLookedAt();
  work();
  vi.restoreAllMocks();
  return lookedAt();
};

describe('H20: a name from the service', () => {
  it.each([
    ['dots before a letter', (length: number) => `a${'.'.repeat(length)}b`],
    ['blanks before a letter', (length: number) => `a${' '.repeat(length)}b`],
    ['leading dots', (length: number) => `${'. '.repeat(length / 2)}b`],
    ['marks that change places', (length: number) => `a${'\u0301\u0316'.repeat(length / 2)}`],
    ['control characters', (length: number) => '\u0000'.repeat(length)],
    ['folders', (length: number) => `${'a/'.repeat(length / 2)}b.png`],
    ['an extension', (length: number) => `b.${'x'.repeat(length)}`],
  ])('of %s costs no more with 1 MB than with 10 KB', (_, make) => {
    const [small, large] = [make(10_000), make(1_000_000)];
    expect(lookedAtBy(() => safeFileName(large))).toBeLessThanOrEqual(lookedAtBy(() => safeFileName(small)));
    const safe = safeFileName(large);
    expect(safeFileName(safe)).toBe(safe);
    expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
    expect(safe).toMatch(/^[^.\-~\s].*[^.\s]$|^[^.\-~\s]$/su);
  });

  it('keeps the extension of a long one', () => {
    expect(safeFileName(`${'x'.repeat(1_000_000)}.png`)).toBe(`${'x'.repeat(196)}.png`);
    expect(safeFileName(`a/${'猫'.repeat(500)}.webm`)).toBe(`${'猫'.repeat(65)}.webm`);
  });

  it('ends in no dot or blank where it was cut behind one', () => {
    for (const tail of ['.', ' ', '. .', '...']) {
      for (let length = 190; length < 205; length += 1) {
        for (const extension of ['', '.png', `.${'y'.repeat(500)}`]) {
          const safe = safeFileName(`${'x'.repeat(length)}${tail}${'z'.repeat(30)}${extension}`);
          expect(safe).toMatch(/[^.\s]$/u);
          expect(safe).not.toMatch(/[.\s]\.png$/u);
        }
      }
    }
  });

  it('costs the same whether few or many have it', () => {
    const named = (count: number) => (): void => {
      const taken: TakenNames = new Map();
      for (let at = 0; at < count; at += 1) uniqueName(at % 2 === 0 ? 'A.png' : 'a.png', taken);
      expect(taken.size).toBe(count);
    };
    expect(lookedAtBy(named(10_000)) / lookedAtBy(named(100))).toBeLessThan(150);
  });
});
