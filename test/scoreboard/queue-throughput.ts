import type { Figure, Range, Tally } from './figure.js';
import { measureQueue } from './queue/measure-queue.js';

const [wholeRounds, jobs, waiting] = [7, 1_000, 100_000];
const leastShare = 0.7;
const mostGrowth = 1.25;

/** What a queue costs. */
export const queueThroughput: Figure = {
  id: 'queue-throughput',
  what: `rounds of ${jobs.toLocaleString('en')} jobs, added and run by a service that ends them at once, in turns with plain BullMQ doing the same work in Redis; then jobs of a queue in which ${waiting.toLocaleString('en')} wait, in turns with those of an empty one (real Redis server, appendfsync always)`,
  target: `≥ ${leastShare} of plain BullMQ’s rate in both (medians); a job of a queue in which ${waiting.toLocaleString('en')} wait costs ≤ ${mostGrowth} of one in an empty queue, in both (medians)`,
  count: wholeRounds,
  splits: false,
  isAlone: true,
  run: (range) => measure(range),
  shortfalls: ({ counts }, count) =>
    count < wholeRounds
      ? []
      : [
          ...below(counts, 'adding beside BullMQ'),
          ...below(counts, 'running beside BullMQ'),
          ...above(counts, 'adding while many wait'),
          ...above(counts, 'running while many wait'),
        ],
};

type Counts = Readonly<Record<string, number>>;

const below = (counts: Counts, name: string): readonly string[] =>
  (counts[name] ?? 0) >= leastShare ? [] : [`${name}: ${String(counts[name])}`];

const above = (counts: Counts, name: string): readonly string[] =>
  (counts[name] ?? Infinity) <= mostGrowth ? [] : [`${name}: ${String(counts[name])}`];

/** A few rounds beside other tests are of few jobs as well. */
const measure = async ({ count }: Range): Promise<Tally> => {
  const isWhole = count >= wholeRounds;
  const { adding, running, addingFull, runningFull, windowMs } = await measureQueue(
    count,
    isWhole ? jobs : 50,
    isWhole ? waiting : 100,
  );
  return {
    counts: {
      rounds: count,
      'adding beside BullMQ': hundredths(median(adding)),
      'running beside BullMQ': hundredths(median(running)),
      'adding while many wait': hundredths(median(addingFull)),
      'running while many wait': hundredths(median(runningFull)),
      'median ms from the check to the submission': median(windowMs),
      'longest ms from it': Math.max(...windowMs),
    },
    problems: [],
  };
};

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

const hundredths = (value: number): number => Math.round(value * 100) / 100;
