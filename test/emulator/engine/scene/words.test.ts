import { describe, expect, it } from 'vitest';
import { readWords } from '../../../../src/emulator/engine/scene/words.js';

describe('readWords', () => {
  it.each([
    ['a sunset over the ocean', { light: 'sunset', land: 'ocean' }],
    ['Tall Mountains, under STARS', { light: 'night', land: 'mountains' }],
    ['city skyline, purple, rainy', { light: 'storm', land: 'city', hue: 0.78 }],
    ['an old clock', {}],
    ['', {}],
  ])('reads %j', (prompt, wishes) => {
    expect(readWords(prompt, '')).toEqual(wishes);
  });

  it('takes the first word of each kind', () => {
    expect(readWords('forest by the sea at dawn, then night', '')).toEqual({ light: 'dawn', land: 'forest' });
  });

  it('leaves out what the negative prompt refuses', () => {
    expect(readWords('forest by the sea', 'forest, blurry')).toEqual({ land: 'ocean' });
  });

  it('is not confused by words that objects know', () => {
    expect(readWords('constructor __proto__ toString', '')).toEqual({});
  });
});
