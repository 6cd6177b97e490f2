import { initialJobState } from '../src/protocol/state/initial-job-state.js';
import { stepJobState } from '../src/protocol/state/step-job-state.js';
import { floorFold } from './baseline/fold.js';
import type { Benchmark, Row } from './row.js';
import { askFreshProcess } from './tools/child.js';
import { inTurns } from './tools/in-turns.js';
import { jobEvents } from './tools/job-events.js';
import { sink } from './tools/sink.js';
import type { MemoryAnswer, MemoryQuestion } from './tools/memory.js';

/** What it costs to fold a job's events to its state. */
export const fold: Benchmark = {
  name: 'fold',
  title:
    'A job of 10,000 decoded events to its final state, through every state between. Baseline: a hand-written switch without checks that makes each state too.',
  run: async () => [await measure(1), await measure(20), await memory()],
};

const count = 10_000;

const measure = async (nodeCount: number): Promise<Row> => {
  const events = jobEvents(count, nodeCount);
  const turn = (step: typeof stepJobState | typeof floorFold) => async (): Promise<number> => {
    const started = performance.now();
    for (let job = 0; job < jobsPerTurn; job += 1) sink.kept = events.reduce(step, initialJobState());
    return Promise.resolve((performance.now() - started) / 1000);
  };
  const turns = await inTurns({ promptwire: turn(stepJobState), floor: turn(floorFold) }, { rounds: 15 });
  return {
    what: `${nodeCount} ${nodeCount === 1 ? 'node' : 'nodes'}`,
    unit: 'ms/job',
    ours: (turns.seconds('promptwire') / jobsPerTurn) * 1000,
    baseline: (turns.seconds('floor') / jobsPerTurn) * 1000,
    ratio: turns.ratio('promptwire', 'floor'),
    target: { atMost: 1.5 },
  };
};

const jobsPerTurn = 5;

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
