import type { Benchmark, Row } from './row.js';
import { askFreshProcess } from './tools/child.js';
import type { MemoryAnswer, MemoryQuestion } from './tools/memory.js';
import { mebibyte } from './tools/sizes.js';

/** What happens where pictures come faster than they are shown. */
export const slowConsumer: Benchmark = {
  name: 'slow-consumer',
  title:
    'A reader that takes 10 ms for each of 2,000 previews of 200 KB, which another process sends as fast as it can, then the end of their job. Baseline: the same previews in a queue (rxjs-for-await).',
  run: async () => {
    const [ours, queueing] = [await measure('promptwire', 2000), await measure('queueing', 2000)];
    const row = (what: string, unit: string, of: (answer: MemoryAnswer) => number, atMost: number): Row => ({
      what,
      unit,
      ours: of(ours),
      baseline: of(queueing),
      against: 'queueing',
      target: { atMost },
    });
    return [
      row('growth of resident memory', 'MiB', ({ bytes }) => bytes / mebibyte, 64),
      row('the end is seen after', 'ms', ({ endSeenAfterMs }) => endSeenAfterMs ?? NaN, 1000),
    ];
  },
};

const measure = (way: 'promptwire' | 'queueing', count: number): Promise<MemoryAnswer> =>
  askFreshProcess<MemoryAnswer>('memory', { of: 'slow consumer', way, count } satisfies MemoryQuestion);
