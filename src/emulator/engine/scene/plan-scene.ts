import { seededRandom, type Random } from '../random.js';
import { mix, type Colour } from './colour.js';
import type { Land } from './kinds.js';
import { landColour, leanTowards, skyOfHue, skyPalette, type SkyPalette } from './palettes.js';
import { readWords } from './words.js';

/** A picture in words: all that {@link renderScene} needs, whatever the size. Lengths are parts of the height. */
export interface Scene {
  readonly sky: SkyPalette;
  readonly stars: boolean;
  readonly land: Land;
  readonly ground: Colour;
  readonly horizon: number;
  /** Ridges of land between horizon and foreground. */
  readonly layers: number;
  /** Sun or moon; `x` is a part of the width. */
  readonly disc: { readonly x: number; readonly y: number; readonly radius: number };
  /** How much of the sky is clouded, 0 to 1. */
  readonly clouds: number;
  /** Feeds noise and shapes. */
  readonly random: Random;
}

/** Decides on a scene: its kind by the words of the prompt, the rest by seed and prompt together. */
export const planScene = (prompt: string, negative: string, seed: bigint): Scene => {
  const wishes = readWords(prompt, negative);
  const mood = seededRandom(0n, `mood\n${prompt}\n${negative}`);
  const random = seededRandom(seed, `scene\n${prompt}\n${negative}`);
  const land = wishes.land ?? pick(mood, lands);
  const light = wishes.light;
  const hue = mood();
  const plain = light === undefined ? skyOfHue(wishes.hue ?? hue, 0.08 + mood() * 0.3) : skyPalette(light);
  // Where the land is green by itself, the word speaks of the land.
  const ofLand = wishes.hue === 0.33 && (land === 'hills' || land === 'forest');
  const sky =
    wishes.hue !== undefined && light !== undefined && !ofLand ? leanTowards(plain, wishes.hue) : plain;
  const low = light === 'sunset' || light === 'dawn';
  return {
    sky,
    stars: light === 'night',
    land,
    ground: mix(landColour(land), sky.top, 1 - Math.max(0.35, sky.daylight)),
    horizon: 0.52 + random() * 0.14,
    layers: 3 + Math.floor(random() * 3),
    disc: {
      x: 0.15 + random() * 0.7,
      y: low ? 0.4 + random() * 0.1 : 0.12 + random() * 0.2,
      radius: 0.035 + random() * 0.04,
    },
    clouds: light === 'storm' ? 0.9 : 0.15 + random() * 0.5,
    random,
  };
};

const lands: readonly Land[] = ['hills', 'mountains', 'forest', 'ocean', 'city', 'desert', 'snow'];

const pick = (random: Random, from: readonly Land[]): Land =>
  from[Math.floor(random() * from.length)] ?? 'hills';
