import { afterEach, describe, expect, it, vi } from 'vitest';
import { paint } from '../../../src/cli/terminal/line.js';
import { fitText, textWidth } from '../../../src/cli/terminal/text-width.js';

/** Calls in which V8 copies a text: it does so for each segment that is taken of it. */
const countCopied = (limit: number): (() => number) => {
  let copied = 0;
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const original = Intl.Segmenter.prototype.segment;
  vi.spyOn(Intl.Segmenter.prototype, 'segment').mockImplementation(function (this: Intl.Segmenter, text) {
    const found = original.call(this, text);
    return {
      containing: (at) => found.containing(at),
      *[Symbol.iterator](): ReturnType<Intl.Segments[typeof Symbol.iterator]> {
        for (const segment of found) {
          copied += text.length;
          if (copied > limit) throw new Error(`more than ${limit} characters were copied`);
          yield segment;
        }
      },
    };
  });
  return () => copied;
};

afterEach(() => {
  vi.restoreAllMocks();
});

const texts: readonly (readonly [string, string])[] = [
  ['letters', 'x'],
  ['wide characters', '猫'],
  ['joined emoji', '👩‍💻'],
  ['one character with marks', '\u0301'],
];

describe('H19: what a terminal measures', () => {
  it.each(texts)('grows no faster than the text, of %s, from 10 KB to 1 MB', (_, unit) => {
    const copiedOf = (length: number, work: (text: string) => void): number => {
      const copied = countCopied(200 * length);
      work(unit.repeat(length / unit.length));
      vi.restoreAllMocks();
      return copied();
    };
    const growth = copiedOf(1_000_000, textWidth) / copiedOf(10_000, textWidth);
    expect(growth).toBeLessThan(110);
  });

  it.each(texts)('is no more of a long text than fits, of %s', (_, unit) => {
    const copied = countCopied(100_000);
    const fitted = fitText(`x${unit.repeat(10_000)}`, 80);
    if (unit !== '\u0301') {
      expect(fitted).toMatch(/…$/u);
      fitText(`x${unit.repeat(100_000)}`, 80);
      expect(copied()).toBeLessThan(30_000);
    }
  });

  it('is nothing where there is no terminal', () => {
    const copied = countCopied(0);
    const text = '猫'.repeat(1_000);
    expect(paint([text, { text, style: 'red' }], { colour: false })).toBe(text + text);
    expect(copied()).toBe(0);
  });

  it('is the same wherever the pieces are cut', () => {
    for (const unit of ['e\u0301', '👩‍💻', '🇩🇪', '#\uFE0F\u20E3', '猫', 'ab']) {
      for (let before = 0; before < 70; before += 1) {
        const text = 'x'.repeat(before) + unit.repeat(40);
        expect(textWidth(text)).toBe(before + 40 * textWidth(unit));
        expect(fitText(text, before + 10 * textWidth(unit) + 1)).toBe(
          `${'x'.repeat(before)}${unit.repeat(10)}…`,
        );
      }
    }
  });

  it('counts a character with marks once, however many they are', () => {
    expect(textWidth(`e${'\u0301'.repeat(1_000)}`)).toBe(1);
    expect(fitText(`e${'\u0301'.repeat(1_000)}`, 1)).toHaveLength(1_001);
  });
});
