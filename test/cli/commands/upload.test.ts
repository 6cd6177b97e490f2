import { describe, expect, it } from 'vitest';
import { inputValue, parseFileReference } from '../../../src/cli/commands/upload.js';

describe('parseFileReference', () => {
  it.each([
    ['cat.png', 'cat.png', '', 'input'],
    ['pets/cat.png', 'cat.png', 'pets', 'input'],
    ['a/b/cat.png', 'cat.png', 'a/b', 'input'],
    ['cat.png [output]', 'cat.png', '', 'output'],
    ['pets/cat 2.png [temp]', 'cat 2.png', 'pets', 'temp'],
    ['cat [1].png', 'cat [1].png', '', 'input'],
  ])('reads %s', (text, filename, subfolder, type) => {
    expect(parseFileReference(text)).toEqual({ filename, subfolder, type });
  });
});

describe('inputValue', () => {
  it('names the subfolder where there is one', () => {
    expect(inputValue({ name: 'cat.png', subfolder: '' })).toBe('cat.png');
    expect(inputValue({ name: 'cat.png', subfolder: 'pets' })).toBe('pets/cat.png');
  });
});
