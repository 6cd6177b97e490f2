import { median } from './median.js';
import { sink } from './sink.js';
import { turnOrder } from './turn-order.js';

/** How fast some ways of the same work are. */
export interface Rates<Name extends string> {
  /** Median calls a second of one way. */
  readonly perSecond: (name: Name) => number;
  /** Median over the rounds of the rate of one way, divided by that of another in the same round. */
  readonly ratio: (name: Name, other: Name) => number;
}

/** Work that is called many times in a round; `call` counts up from 0. */
export type Work = (call: number) => unknown;

/** Options of {@link ratesInTurns}. */
export interface RatesOptions {
  /** Default 21: many short ones; what else the machine does then falls on all ways alike, or on few of the rounds. */
  readonly rounds?: number;
  /** What garbage is collected before each turn, and not only before each round: default all. */
  readonly collect?: 'all' | 'young';
}

const roundMs = 10;
const warmUpMs = 100;

/**
 * Measures ways of work that takes no waiting, in turns in this process: warmed up, each round in another order, garbage
 * collected before each turn. Counts the processor's time, that of collecting garbage included, so that other programs
 * disturb it less than they would a clock.
 */
export const ratesInTurns = <Name extends string>(
  ways: Readonly<Record<Name, Work>>,
  { rounds = 21, collect = 'all' }: RatesOptions = {},
): Rates<Name> => {
  const names = Object.keys(ways) as Name[];
  // Once for the engine, which compiles what runs often, and once to know how fast it is then.
  for (const name of names) callsPerRound(ways[name], warmUpMs);
  const calls = new Map(names.map((name) => [name, callsPerRound(ways[name], roundMs)]));
  const rates = new Map(names.map((name): [Name, number[]] => [name, []]));
  const warmUps = Math.ceil(warmUpMs / roundMs);
  for (let round = -warmUps; round < rounds; round += 1) {
    globalThis.gc?.();
    for (const name of turnOrder(names, round + warmUps)) {
      if (collect === 'all') globalThis.gc?.();
      else globalThis.gc?.({ type: 'minor' });
      const measured = rate(ways[name], calls.get(name) ?? 1);
      if (round >= 0) rates.get(name)?.push(measured);
    }
  }
  const of = (name: Name): readonly number[] => rates.get(name) ?? [];
  return {
    perSecond: (name) => median(of(name)),
    ratio: (name, other) => median(of(name).map((value, round) => value / (of(other)[round] ?? NaN))),
  };
};

/**
 * As many calls as fill that time, also where nothing else happens meanwhile. No rounder number: what collecting garbage leaves
 * to do after it has to fall on a turn of the same length for every way.
 */
const callsPerRound = (work: Work, ms: number): number => {
  for (let calls = 1; ; calls *= 2) {
    const perSecond = Math.max(rate(work, calls), rate(work, calls), rate(work, calls));
    const fill = (perSecond * ms) / 1000;
    if (fill <= calls) return Math.ceil(fill);
  }
};

const rate = (work: Work, calls: number): number => {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) sink.kept = work(call);
  const { user, system } = process.cpuUsage(before);
  return (calls * 1e6) / Math.max(1, user + system);
};
