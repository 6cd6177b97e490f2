import { initialJobState } from '../src/core/state/initial-job-state.js';
import { stepJobState } from '../src/core/state/step-job-state.js';
import { floorFold } from './baseline/fold.js';
import type { Benchmark, Row } from './row.js';
import { askFreshProcess } from './tools/child.js';
import { jobEvents } from './tools/job-events.js';
import type { MemoryAnswer, MemoryQuestion } from './tools/memory.js';
import { ratesInTurns } from './tools/rates-in-turns.js';

/** What it costs to fold a job's events to its state. */
export const fold: Benchmark = {
  name: 'fold',
  title:
    'A job of 10,000 decoded events to its final state, through every state between. Baseline: a hand-written switch without checks that makes each state too.',
  run: async () => [measure(1), measure(20), await memory()],
};

const count = 10_000;

const measure = (nodeCount: number): Row => {
  const events = jobEvents(count, nodeCount);
  const folding = (step: typeof stepJobState | typeof floorFold) => () =>
    events.reduce(step, initialJobState());
  const rates = ratesInTurns({ promptwire: folding(stepJobState), floor: folding(floorFold) });
  return {
    what: `${nodeCount} ${nodeCount === 1 ? 'node' : 'nodes'}`,
    unit: 'ms/job',
    ours: 1000 / rates.perSecond('promptwire'),
    baseline: 1000 / rates.perSecond('floor'),
    ratio: rates.ratio('floor', 'promptwire'),
    target: { atMost: 1.5 },
  };
};

const heapAfter = async (events: number): Promise<number> => {
  const question: MemoryQuestion = { of: 'fold', events };
  return (await askFreshProcess<MemoryAnswer>('memory', question)).bytes / 1024;
};

/** Flat: a hundred times the events leave nothing more behind, but for what the engine compiles meanwhile. */
const memory = async (): Promise<Row> => ({
  what: 'heap that 1,000,000 events leave more than 10,000',
  unit: 'KiB',
  ours: (await heapAfter(100 * count)) - (await heapAfter(count)),
  target: { atMost: 64 },
});
