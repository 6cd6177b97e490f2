import { describe, expect, it } from 'vitest';
import { planScene, readWords } from '../../../../src/emulator/engine/scene/plan-scene.js';

const plan = (prompt: string, seed = 1n, negative = '') => ({
  ...planScene(prompt, negative, seed),
  random: undefined,
});

describe('planScene', () => {
  it('takes land and light from the words', () => {
    expect(plan('city at night')).toMatchObject({ land: 'city', stars: true });
    expect(plan('snowy day')).toMatchObject({ land: 'snow', stars: false });
  });

  it('decides the same for the same words and seed', () => {
    expect(plan('an old clock')).toEqual(plan('an old clock'));
  });

  it('keeps kind and colours for another seed, and moves sun and horizon', () => {
    const one = plan('an old clock');
    const other = plan('an old clock', 2n);
    expect([other.land, other.sky, other.ground]).toEqual([one.land, one.sky, one.ground]);
    expect([other.disc, other.horizon]).not.toEqual([one.disc, one.horizon]);
  });

  it('finds colours for words that it does not know', () => {
    const skies = ['an old clock', 'a red bicycle', 'a portrait'].map((prompt) =>
      plan(prompt).sky.top.join(),
    );
    expect(new Set(skies).size).toBe(3);
  });

  it('leans the sky towards a colour word', () => {
    const [red, , blue] = plan('sunset, red').sky.top;
    const [plainRed, , plainBlue] = plan('sunset').sky.top;
    expect(red - blue).toBeGreaterThan(plainRed - plainBlue);
  });

  it('leaves the sky alone where green speaks of the land', () => {
    expect(plan('green hills, day').sky).toEqual(plan('hills, day').sky);
  });

  it('listens to the negative prompt', () => {
    expect(plan('forest or ocean', 1n, 'forest').land).toBe('ocean');
    expect(plan('an old clock', 1n, 'blurry')).not.toEqual(plan('an old clock'));
  });
});

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
