import type { Light, Land } from './kinds.js';

/** What the words of a prompt ask for; what they leave open is absent. */
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
    ...named('land', first(words, lands)),
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

const lands = byWord<Land>({
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
