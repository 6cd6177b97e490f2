import { describe, expect, it } from 'vitest';
import { type NameValues, readNamePattern } from '../../../src/workflow/outputs/name-pattern.js';

const values: NameValues = {
  ...{ name: 'cat', title: 'Save', node: '9', class: 'SaveImage', kind: 'image', seed: '7', index: '1' },
  ...{ date: '2026-11-26', time: '19-02-03', prompt: 'p', ext: 'png' },
};
const named = (pattern: string, more: Partial<NameValues> = {}): string =>
  readNamePattern(pattern)({ ...values, ...more });

describe('a pattern of names', () => {
  it('is filled with each value, as often as it names it', () => {
    expect(named('{title}-{seed}-{title}')).toBe('Save-7-Save.png');
    expect(named('a }{')).toBe('a }{.png');
  });

  it('makes one underline of all slashes and blanks that stand together in a value, and of none at its ends', () => {
    expect(named('{title}', { title: ' Save /  the\\\t/picture\n' })).toBe('Save_the_picture.png');
    expect(named('a  b {title}', { title: 'c d' })).toBe('a  b c_d.png');
  });

  it('ends in the extension once, in whichever case', () => {
    expect(['{name}', '{name}.png', '{name}.PNG', '{name}png'].map((pattern) => named(pattern))).toEqual([
      ...['cat.png', 'cat.png', 'cat.PNG', 'catpng.png'],
    ]);
    expect(named('{name}.png', { ext: 'PNG' })).toBe('cat.png');
  });

  it('adds nothing where a file has no extension', () => {
    expect(named('{name}', { ext: '' })).toBe('cat');
  });

  it.each(['{names}', '{}', '{ name }', '{toString}', '{name} {Title}'])('refuses %s', (pattern) => {
    expect(() => readNamePattern(pattern)).toThrow(
      /is not known; the placeholders are \{name\}, \{title\}, /u,
    );
  });

  it.each(['', '  ', '\n', 'a/b', '{name}\\'])('refuses %j, which names no file', (pattern) => {
    expect(() => readNamePattern(pattern)).toThrow(
      expect.objectContaining({ _tag: 'InvalidConfig', option: 'name' }) as Error,
    );
  });
});
