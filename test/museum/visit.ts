import { inParallel } from '../helpers/in-parallel.js';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Range } from '../scoreboard/figure.js';
import type { ByFigure, Patch } from './patch.js';
import { playFigure } from './play-figure.js';

/** What became of one patch: how it was caught, or undefined. */
export interface Exhibit {
  readonly patch: Patch;
  readonly caught: string | undefined;
}

/** What a tour through the museum showed. */
export interface Visit {
  readonly exhibits: readonly Exhibit[];
  /** What figures and tests find in the source as it is, where they found the bugs: nothing, or they prove nothing. */
  readonly falseAlarms: readonly string[];
}

/** How many seeds are played before the findings are looked at; others are played in one piece. */
const steps: Readonly<Record<string, number>> = { S1: 10, S3: 20, S7: 12, S10: 4, S25: 5 };

/** Puts each bug in, alone, and sees whether its figure or its test catches it; then plays the same without any. */
export const visit = async (patches: readonly Patch[], processes: number): Promise<Visit> => {
  const played = new Map<string, Map<string, Range>>();
  const note = (figure: string, ranges: readonly Range[]): void => {
    const all = played.get(figure) ?? new Map<string, Range>();
    played.set(figure, all);
    // The soak as it is takes long, and the scoreboard plays it anyway.
    for (const range of ranges)
      if (figure !== 'S22' || range.count === 1) all.set(JSON.stringify(range), range);
  };
  const byTest = patches.filter(({ caughtBy }) => 'test' in caughtBy);
  const tested = byTest.length === 0 ? undefined : runTests(byTest);
  const byFigure = patches.filter(({ caughtBy }) => 'figure' in caughtBy);
  const found = await inParallel(byFigure, processes, async (patch): Promise<Exhibit> => {
    const catcher = patch.caughtBy as ByFigure;
    const ranges = rangesOf(catcher);
    const { place, problem } = await playFigure(catcher.figure, ranges, patch);
    note(catcher.figure, ranges.slice(0, (place ?? ranges.length) + 1));
    return { patch, caught: problem && `${catcher.figure}: ${problem}` };
  });
  const references = await inParallel([...played], processes, async ([figure, ranges]) => ({
    figure,
    ...(await playFigure(figure, [...ranges.values()])),
  }));
  const failed = (await tested) ?? {};
  return {
    exhibits: [
      ...found,
      ...byTest.map((patch) => ({ patch, caught: caughtByTest(patch, failed[patch.id] ?? []) })),
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

const runTests = async (patches: readonly Patch[]): Promise<Readonly<Record<string, readonly string[]>>> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, 'run-tests.ts'), ...patches.map(({ id }) => id)],
    { timeout: 240_000, maxBuffer: 2 ** 26 },
  );
  return JSON.parse(stdout) as Readonly<Record<string, readonly string[]>>;
};

/** A file that could not be run proves nothing: the test that is named has to be among those that failed. */
const caughtByTest = ({ caughtBy }: Patch, failures: readonly string[]): string | undefined => {
  if (!('test' in caughtBy)) return undefined;
  const found = failures.find((name) => name.includes(caughtBy.name) && !name.startsWith('the file: '));
  return found && `${caughtBy.test}: ${found}`;
};
