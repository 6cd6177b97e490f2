import {
  type Colour,
  type Land,
  landColour,
  leanTowards,
  type Light,
  mix,
  skyOfHue,
  skyPalette,
  type SkyPalette,
} from './colour.js';
import { type Random, seededRandom } from '../random.js';

/** A picture as data for {@link renderScene}, independent of its size. Lengths are fractions of the height. */
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

/** Plans a scene: its kind from the words of the prompt, the rest from seed and prompt. */
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

/** What a prompt names; the rest is absent. */
export interface Wishes {
  readonly light?: Light;
  readonly land?: Land;
  /** Hue of a colour word, 0 to 1. */
  readonly hue?: number;
}

/** Reads the words of a prompt: the first word of each kind counts, and words of the negative prompt don't. */
export const readWords = (prompt: string, negative: string): Wishes => {
  const refused = new Set(wordsOf(negative));
  const words = wordsOf(prompt).filter((word) => !refused.has(word));
  return {
    ...named('light', first(words, lights)),
    ...named('land', first(words, landOfWord)),
    ...named('hue', first(words, hues)),
  };
};

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

const first = <T>(words: readonly string[], table: ReadonlyMap<string, T>): T | undefined =>
  words
    .map((word) => table.get(word) ?? table.get(word.replace(/s$/, '')))
    .find((value) => value !== undefined);

const named = <K extends keyof Wishes>(name: K, value: Wishes[K]): Pick<Wishes, K> | undefined =>
  value === undefined ? undefined : ({ [name]: value } as Pick<Wishes, K>);

const byWord = <T extends string>(table: Readonly<Record<T, string>>): ReadonlyMap<string, T> =>
  new Map(
    Object.entries<string>(table).flatMap(([value, words]) =>
      words.split(' ').map((word): [string, T] => [word, value as T]),
    ),
  );

const lights = byWord<Light>({
  day: 'day noon sunny summer blue bright clear',
  sunset: 'sunset dusk evening golden autumn fall warm',
  dawn: 'dawn sunrise morning spring mist misty fog foggy pastel',
  night: 'night midnight moon moonlit star starry space galaxy dark',
  storm: 'storm stormy rain rainy thunder cloudy grey gray gloomy',
});

const landOfWord = byWord<Land>({
  hills: 'hill meadow field valley countryside grass village',
  mountains: 'mountain peak alps alpine summit cliff rock canyon',
  forest: 'forest wood tree jungle pine fox deer bear',
  ocean: 'ocean sea lake water beach island wave harbour harbor boat ship river fish',
  city: 'city town skyline street building tower skyscraper cyberpunk neon robot',
  desert: 'desert dune sand sahara mars camel',
  snow: 'snow snowy winter ice arctic glacier penguin',
});

const hues: ReadonlyMap<string, number> = new Map([
  ['red', 0],
  ['orange', 0.07],
  ['yellow', 0.14],
  ['green', 0.33],
  ['teal', 0.48],
  ['turquoise', 0.48],
  ['cyan', 0.5],
  ['violet', 0.76],
  ['purple', 0.78],
  ['magenta', 0.86],
  ['pink', 0.92],
]);
