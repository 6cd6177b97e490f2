import { availableParallelism } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { judgeMutants, type MutantsReport } from './judge-mutants.js';
import { mutants } from './list/index.js';

/** Those that the first seeds of a figure catch, and some that tests catch: S23 of the scoreboard plays all of them. */
const sampleIds: ReadonlySet<string> = new Set(['A8', 'D4', 'G1']);
const sample = mutants.filter(({ id, caughtBy }) =>
  'test' in caughtBy ? sampleIds.has(id) : caughtBy.figure !== 'S22' || caughtBy.within === 1,
);

describe('the mutants', () => {
  let report: MutantsReport;
  beforeAll(async () => {
    report = await judgeMutants(sample, Math.max(2, availableParallelism() - 1));
  }, 200_000);

  it.each(sample.map(({ id, story }) => [id, story] as const))('%s is caught: %s', (id) => {
    expect(report.results.find(({ mutant }) => mutant.id === id)?.caught).toBeDefined();
  });

  it('raise no false alarm: what catches them finds nothing without them', () => {
    expect(report.falseAlarms).toEqual([]);
  });
});
