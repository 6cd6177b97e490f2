/** Random choices from a seed: the same seed makes the same choices. */
export interface Random {
  /** 0 to 1, exclusive. */
  readonly next: () => number;
  /** A whole number from 0 to `below` - 1. */
  readonly below: (below: number) => number;
  /** A whole number from `least` to `most`, both included. */
  readonly between: (least: number, most: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <A>(list: readonly A[]) => A;
}

/** Makes a {@link Random} of its own for each combination of numbers (mulberry32). */
export const randomOf = (...seeds: readonly number[]): Random => {
  let state = seeds.reduce((hash, seed) => Math.imul(hash ^ seed, 0x9e3779b1) ^ (hash >>> 15), 0x811c9dc5);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  next();
  return {
    next,
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)]!,
  };
};
