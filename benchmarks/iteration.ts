import { type Observable, Subject } from 'rxjs';
import { eachValueFrom } from 'rxjs-for-await';
import { toAsyncIterable } from '../src/core/interop/to-async-iterable.js';
import { arrayGenerator } from './baseline/array-generator.js';
import type { Benchmark, Row } from './row.js';
import { inTurns } from './tools/in-turns.js';

/** What `for await` costs over values that wait. */
export const iteration: Benchmark = {
  name: 'iteration',
  title:
    '`for await` over values that wait already. Baseline: an array-backed async generator, written by hand.',
  run: async () => [await beside('array'), await growth(), await beside('rxjs-for-await')],
};

const million = 1_000_000;
/** More than that takes it minutes. */
const bearable = 50_000;

type Way = (observable: Observable<number>, count: number) => AsyncIterable<number>;

const ways = {
  promptwire: (observable, count) => toAsyncIterable(observable, { capacity: count }),
  array: arrayGenerator,
  'rxjs-for-await': eachValueFrom,
} satisfies Record<string, Way>;

/** Reads `count` values that wait, and checks that it got them all. */
const reading = (name: keyof typeof ways, count: number) => async (): Promise<number> => {
  const values = new Subject<number>();
  const way: Way = ways[name];
  const iterator = way(values, count)[Symbol.asyncIterator]();
  // Some subscribe only with the first `next()`.
  const first = iterator.next();
  const started = performance.now();
  for (let value = 1; value <= count; value += 1) values.next(value);
  values.complete();
  let sum = ((await first).value as number | undefined) ?? 0;
  for await (const value of { [Symbol.asyncIterator]: () => iterator }) sum += value;
  if (sum !== (count * (count + 1)) / 2) throw new Error(`${name} lost values`);
  return (performance.now() - started) / 1000;
};

const beside = async (other: 'array' | 'rxjs-for-await'): Promise<Row> => {
  const count = other === 'array' ? million : bearable;
  const turns = await inTurns({ promptwire: reading('promptwire', count), other: reading(other, count) });
  return {
    what: `${count.toLocaleString('en-US')} values`,
    unit: 'ms',
    ours: turns.seconds('promptwire') * 1000,
    baseline: turns.seconds('other') * 1000,
    ratio: turns.ratio('promptwire', 'other'),
    ...(other === 'array' ? { target: { atMost: 1.5 } } : { against: 'rxjs-for-await' }),
  };
};

/** Linear: a value costs the same, however many wait with it. */
const growth = async (): Promise<Row> => {
  const turns = await inTurns({
    many: reading('promptwire', million),
    few: reading('promptwire', million / 10),
  });
  return {
    what: 'a value of 1,000,000',
    unit: 'ns',
    ours: (turns.seconds('many') / million) * 1e9,
    baseline: (turns.seconds('few') / (million / 10)) * 1e9,
    ratio: turns.ratio('many', 'few') / 10,
    against: 'a value of 100,000',
    target: { atMost: 1.5 },
  };
};
