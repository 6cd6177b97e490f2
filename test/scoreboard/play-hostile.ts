import type { Range, Tally } from './figure.js';
import { watchProcess } from './process-health.js';

/** What the heap may grow by in 100,000 runs. */
export const heapMiB = 32;

/** Plays each seed of a range; the result counts how they ended, what threw, and what the heap grew by after the first runs. */
export const playHostile = async (
  id: string,
  { from, count }: Range,
  play: (seed: number) => Promise<string> | string,
): Promise<Tally> => {
  const seenByProcess = watchProcess();
  const ends: Record<string, number> = {};
  const problems: string[] = [];
  let before = heapUsed();
  for (let seed = from; seed < from + count; seed += 1) {
    // By then everything is loaded and compiled.
    if (seed === from + 500) before = heapUsed();
    try {
      const end = await play(seed);
      ends[end] = (ends[end] ?? 0) + 1;
    } catch (error) {
      problems.push(`${String(error)}; npm run replay -- ${id} --seed ${seed}`);
    }
  }
  return {
    counts: { played: count, throws: problems.length, ...ends, 'most MiB of heap': heapUsed() - before },
    problems: [...problems.slice(0, 5), ...(await seenByProcess())],
  };
};

/** A shortfall where the heap grew beyond {@link heapMiB}. */
export const grownHeap = ({ counts }: Tally): readonly string[] =>
  (counts['most MiB of heap'] ?? 0) <= heapMiB ? [] : ['the heap grew'];

const heapUsed = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
};
