import { median } from './median.js';
import { turnOrder } from './turn-order.js';

/** What some ways of the same work took, round by round. */
export interface Turns<Name extends string> {
  /** Median seconds of one way. */
  readonly seconds: (name: Name) => number;
  /** Median over the rounds of the time of one way, divided by that of another in the same round. */
  readonly ratio: (name: Name, other: Name) => number;
}

/** Options of {@link inTurns}. */
export interface InTurnsOptions {
  /** Default 7. */
  readonly rounds?: number;
  /** Rounds before, whose times don't count; default 2. */
  readonly warmUps?: number;
}

/**
 * Runs several ways of the same work in turns in this process, each round in another order, garbage collected before
 * each turn.
 *
 * A way may say itself how many seconds its work took, by returning them; otherwise the whole turn counts.
 */
export const inTurns = async <Name extends string>(
  ways: Readonly<Record<Name, () => Promise<number | undefined>>>,
  { rounds = 7, warmUps = 2 }: InTurnsOptions = {},
): Promise<Turns<Name>> => {
  const names = Object.keys(ways) as Name[];
  const times = new Map(names.map((name): [Name, number[]] => [name, []]));
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const name of turnOrder(names, round + warmUps)) {
      globalThis.gc?.();
      const started = performance.now();
      const told = await ways[name]();
      const seconds = told ?? (performance.now() - started) / 1000;
      if (round >= 0) times.get(name)?.push(seconds);
    }
  }
  const of = (name: Name): readonly number[] => times.get(name) ?? [];
  return {
    seconds: (name) => median(of(name)),
    ratio: (name, other) => median(of(name).map((seconds, round) => seconds / (of(other)[round] ?? NaN))),
  };
};
