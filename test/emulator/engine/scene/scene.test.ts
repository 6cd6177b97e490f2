import { describe, expect, it } from 'vitest';
import { fractal, ridge, valueNoise } from '../../../../src/emulator/engine/scene/noise.js';
import { hex, hsl, type Land, mix } from '../../../../src/emulator/engine/scene/colour.js';
import { planScene, readWords } from '../../../../src/emulator/engine/scene/plan-scene.js';
import { renderScene } from '../../../../src/emulator/engine/scene/render-scene.js';
import { seededRandom } from '../../../../src/emulator/engine/random.js';

describe('colours', () => {
  it('reads hexadecimal', () => {
    expect(hex('#ff8001')).toEqual([255, 128, 1]);
  });

  it('mixes by share', () => {
    expect([0, 0.5, 1].map((share) => mix([0, 100, 200], [100, 0, 200], share))).toEqual([
      [0, 100, 200],
      [50, 50, 200],
      [100, 0, 200],
    ]);
  });

  it.each([
    [0, [255, 0, 0]],
    [1 / 3, [0, 255, 0]],
    [2 / 3, [0, 0, 255]],
    [1, [255, 0, 0]],
    [-1 / 3, [0, 0, 255]],
  ])('turns hue %f into its pure colour', (hue, colour) => {
    expect(hsl(hue, 1, 0.5).map(Math.round)).toEqual(colour);
  });

  it('has grey without saturation', () => {
    expect(hsl(0.3, 0, 0.4)).toEqual([102, 102, 102]);
  });
});

const points = Array.from({ length: 400 }, (_, index) => [index * 0.37 - 40, index * 0.11] as const);

describe('valueNoise', () => {
  it('repeats itself for one seed and differs for another', () => {
    const field = (seed: bigint) => {
      const noise = valueNoise(seededRandom(seed));
      return points.map(([x, y]) => noise(x, y));
    };
    expect(field(1n)).toEqual(field(1n));
    expect(field(1n)).not.toEqual(field(2n));
  });

  it('stays within 0 and 1, negative places included', () => {
    const noise = fractal(valueNoise(seededRandom(3n)), 5);
    expect(points.every(([x, y]) => noise(x, y) >= 0 && noise(x, y) <= 1)).toBe(true);
  });

  it('is smooth: near places have near values', () => {
    const noise = valueNoise(seededRandom(3n));
    expect(points.every(([x, y]) => Math.abs(noise(x, y) - noise(x + 0.001, y)) < 0.01)).toBe(true);
  });
});

describe('fractal', () => {
  it('adds nothing with one octave', () => {
    const noise = valueNoise(seededRandom(3n));
    expect(points.map(([x, y]) => fractal(noise, 1)(x, y))).toEqual(points.map(([x, y]) => noise(x, y)));
  });
});

const lands: readonly Land[] = ['hills', 'mountains', 'forest', 'ocean', 'city', 'desert', 'snow'];

const profile = (land: Land, near: number, seed = 5n): readonly number[] => {
  const height = ridge(land, near, seededRandom(seed));
  return Array.from({ length: 300 }, (_, index) => height(index / 100));
};

describe('ridge', () => {
  it.each(lands)('keeps %s between the ground and half the picture', (land) => {
    for (const height of [...profile(land, 0), ...profile(land, 1)]) {
      expect(height).toBeGreaterThanOrEqual(0);
      expect(height).toBeLessThan(0.55);
    }
  });

  it.each(lands)('repeats %s for one seed and changes it for another', (land) => {
    expect(profile(land, 0)).toEqual(profile(land, 0));
    expect(profile(land, 0)).not.toEqual(profile(land, 0, 6n));
  });

  it('has flat roofs in a town', () => {
    const heights = profile('city', 1);
    expect(new Set(heights).size).toBeLessThan(heights.length / 5);
  });
});

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

const size = 48;
const render = (prompt: string, options: Partial<Parameters<typeof renderScene>[1]> = {}): Float32Array =>
  renderScene(planScene(prompt, '', 4n), { width: size, height: size, octaves: 4, contrast: 1, ...options });

const mean = (samples: Float32Array, channel?: number): number => {
  const wanted = channel === undefined ? samples : samples.filter((_, index) => index % 3 === channel);
  return wanted.reduce((sum, value) => sum + value, 0) / wanted.length;
};

const spread = (samples: Float32Array): number => {
  const middle = mean(samples);
  return samples.reduce((sum, value) => sum + Math.abs(value - middle), 0) / samples.length;
};

describe('renderScene', () => {
  it.each(['hills', 'mountains', 'forest', 'ocean', 'city at night', 'desert', 'snow', 'an old clock'])(
    'paints %s within the range of colours, and not in one colour',
    (prompt) => {
      const samples = render(prompt);
      expect(samples).toHaveLength(size * size * 3);
      expect(samples.every((value) => value >= 0 && value <= 255)).toBe(true);
      expect(spread(samples)).toBeGreaterThan(8);
    },
  );

  it('makes night darker than day', () => {
    expect(mean(render('hills at night'))).toBeLessThan(mean(render('hills by day')) * 0.6);
  });

  it('makes a sunset redder than a day', () => {
    const redness = (samples: Float32Array): number => mean(samples, 0) - mean(samples, 2);
    expect(redness(render('ocean, sunset'))).toBeGreaterThan(redness(render('ocean, day')) + 20);
  });

  it('spreads colours with contrast', () => {
    expect(spread(render('hills', { contrast: 1.2 }))).toBeGreaterThan(
      spread(render('hills', { contrast: 0.9 })),
    );
  });

  it('paints any shape', () => {
    expect(render('city', { width: 3, height: 90 })).toHaveLength(810);
    expect(render('ocean', { width: 90, height: 3 })).toHaveLength(810);
    expect(render('forest', { width: 1, height: 1 })).toHaveLength(3);
  });
});
