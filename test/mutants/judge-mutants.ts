import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inParallel } from '../helpers/in-parallel.js';
import type { Range } from '../scoreboard/figure.js';
import type { ByFigure, Mutant } from './mutant.js';
import { playFigure } from './play-figure.js';

/** What became of one mutant: how it was caught, or undefined. */
export interface MutantResult {
  readonly mutant: Mutant;
  readonly caught: string | undefined;
}

/** What became of several mutants. */
export interface MutantsReport {
  readonly results: readonly MutantResult[];
  /** What the same figures and tests find in the source as it is; anything here makes their catches worthless. */
  readonly falseAlarms: readonly string[];
}

/** How many seeds are played before the findings are looked at; others are played in one piece. */
const steps: Readonly<Record<string, number>> = {
  'random-fault-schedules': 10,
  'event-orders': 20,
  'no-duplicate-submissions': 12,
  'silent-connections': 4,
  determinism: 5,
};

/** Plants each mutant alone and plays its figure or its test; then plays the same without any. */
export const judgeMutants = async (mutants: readonly Mutant[], processes: number): Promise<MutantsReport> => {
  const played = new Map<string, Map<string, Range>>();
  const note = (figure: string, ranges: readonly Range[]): void => {
    const all = played.get(figure) ?? new Map<string, Range>();
    played.set(figure, all);
    // The soak as it is takes long, and the scoreboard plays it anyway.
    for (const range of ranges)
      if (figure !== 'soak' || range.count === 1) all.set(JSON.stringify(range), range);
  };
  const byTest = mutants.filter(({ caughtBy }) => 'test' in caughtBy);
  const tested = byTest.length === 0 ? undefined : runTests(byTest);
  const byFigure = mutants.filter(({ caughtBy }) => 'figure' in caughtBy);
  const found = await inParallel(byFigure, processes, async (mutant): Promise<MutantResult> => {
    const catcher = mutant.caughtBy as ByFigure;
    const ranges = rangesOf(catcher);
    const { place, problem } = await playFigure(catcher.figure, ranges, mutant);
    note(catcher.figure, ranges.slice(0, (place ?? ranges.length) + 1));
    return { mutant, caught: problem && `${catcher.figure}: ${problem}` };
  });
  const references = await inParallel([...played], processes, async ([figure, ranges]) => ({
    figure,
    ...(await playFigure(figure, [...ranges.values()])),
  }));
  const failed = (await tested) ?? {};
  return {
    results: [
      ...found,
      ...byTest.map((mutant) => ({ mutant, caught: caughtByTest(mutant, failed[mutant.id] ?? []) })),
    ],
    falseAlarms: [
      ...references.flatMap(({ figure, problem }) =>
        problem === undefined ? [] : [`${figure}: ${problem}`],
      ),
      ...(failed['as it is'] ?? []),
    ],
  };
};

const rangesOf = ({ figure, from = 1, within }: ByFigure): readonly Range[] => {
  const step = steps[figure] ?? within;
  return Array.from({ length: Math.ceil(within / step) }, (_, place) => ({
    from: from + place * step,
    count: Math.min(step, within - place * step),
  }));
};

const runTests = async (mutants: readonly Mutant[]): Promise<Readonly<Record<string, readonly string[]>>> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, 'run-tests.ts'), ...mutants.map(({ id }) => id)],
    { timeout: 240_000, maxBuffer: 2 ** 26 },
  );
  return JSON.parse(stdout) as Readonly<Record<string, readonly string[]>>;
};

/** A file that could not be run proves nothing: the test that is named has to be among those that failed. */
const caughtByTest = ({ caughtBy }: Mutant, failures: readonly string[]): string | undefined => {
  if (!('test' in caughtBy)) return undefined;
  const found = failures.find((name) => name.includes(caughtBy.name) && !name.startsWith('the file: '));
  return found && `${caughtBy.test}: ${found}`;
};
