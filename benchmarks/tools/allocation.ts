import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import type { Allocated } from '../row.js';
import { median } from './median.js';
import { startChild } from './child.js';
import type { Load } from './sender.js';

/** Work whose allocation is counted. */
export type AllocationQuestion =
  | { readonly of: 'decoding'; readonly what: string; readonly who: 'ours' | 'baseline' }
  | { readonly of: 'listening'; readonly load: Load; readonly who: 'ours' | 'baseline' };

/** Asks a process whose young generation is so large that nothing is collected while it counts. */
export const askAllocation = async <Key extends string>(
  questionsOf: ReadonlyMap<Key, (who: Who) => AllocationQuestion>,
): Promise<ReadonlyMap<Key, Allocated>> => {
  const child = startChild('allocation', ['--min-semi-space-size=128', '--max-semi-space-size=128']);
  const answers = new Map<Key, Allocated>();
  try {
    for (const [key, questionOf] of questionsOf) {
      const ours = await child.ask<number>(questionOf('ours'));
      answers.set(key, { ours, baseline: await child.ask<number>(questionOf('baseline')) });
    }
    return answers;
  } finally {
    await child.end();
  }
};

type Who = AllocationQuestion['who'];

/**
 * Bytes that each of so many calls allocates, on the heap and in buffers beside it: the median of some counts, as now and
 * then the engine allocates for itself. `work` makes the calls when called with their number; fewer where garbage was
 * collected meanwhile.
 */
export const countAllocation = async (work: (calls: number) => unknown, calls: number): Promise<number> => {
  let lastCollection = -Infinity;
  const observer = new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) lastCollection = Math.max(lastCollection, startTime);
  });
  observer.observe({ entryTypes: ['gc'] });
  try {
    for (let now = calls; now >= 1; now = Math.floor(now / 2)) {
      globalThis.gc?.();
      const started = performance.now();
      const counts: number[] = [];
      for (let count = 0; count < 7; count += 1) {
        const before = used();
        await work(now);
        counts.push((used() - before) / now);
      }
      await setTimeout(20);
      if (lastCollection < started) return median(counts);
    }
    throw new Error('garbage is collected even in one call');
  } finally {
    observer.disconnect();
  }
};

const used = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
