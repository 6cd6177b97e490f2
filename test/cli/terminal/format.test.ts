import { afterEach, describe, expect, it, vi } from 'vitest';
import { bar, duration, fileSize, fitText, textWidth } from '../../../src/cli/terminal/format.js';
import { paint } from '../../../src/cli/terminal/line.js';
import { runs } from '../../helpers/runs.js';

describe('bar', () => {
  it.each([
    [0, '░░░░'],
    [0.5, '██░░'],
    [0.53, '██▏░'],
    [0.99, '████'],
    [1, '████'],
    [7, '████'],
    [-1, '░░░░'],
    [NaN, '░░░░'],
  ])('of %d in 4 columns is %s', (fraction, drawn) => {
    expect(bar(fraction, 4)).toBe(drawn);
  });
});

describe('duration', () => {
  it.each([
    [-5, '0.0 s'],
    [0, '0.0 s'],
    [420, '0.4 s'],
    [9_949, '9.9 s'],
    [9_950, '10 s'],
    [59_499, '59 s'],
    [59_500, '1:00'],
    [187_000, '3:07'],
    [3_729_000, '1:02:09'],
  ])('of %i ms is %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});

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

describe('textWidth', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['猫', 2],
    ['ｆｕ', 4],
    ['👩‍💻', 2],
    ['█░', 2],
  ])('of %j is %i', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });
});

describe('fitText', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['猫猫猫', 5, '猫猫…'],
    ['猫猫猫', 4, '猫…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
    ['', 0, ''],
  ])('of %j into %i columns is %j', (text, columns, fitted) => {
    expect(fitText(text, columns)).toBe(fitted);
  });
});

/** Calls in which V8 copies a text: it does so for each segment that is taken of it. */
const countCopied = (limit: number): (() => number) => {
  let copied = 0;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own object
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
  it.each(texts)('grows no faster than the text, of %s, up to a megabyte in all runs', (_, unit) => {
    const copiedOf = (length: number, work: (text: string) => void): number => {
      const copied = countCopied(200 * length);
      work(unit.repeat(length / unit.length));
      vi.restoreAllMocks();
      return copied();
    };
    const growth = copiedOf(runs(1_000_000), textWidth) / copiedOf(runs(10_000), textWidth);
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
