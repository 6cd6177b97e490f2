import { availableParallelism } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { judgeMutants, type MutantsReport } from './judge-mutants.js';
import { mutants } from './list/index.js';

/** Some that each figure catches and some that tests catch: the figure `planted-mutants` plays all of them. */
const sampleIds: ReadonlySet<string> = new Set(
  'A8 A9 B3 C1 C5 C10 D1 D4 D5 E1 E5 E12 F2 G1 I-7 I-9 L7'.split(' '),
);
const sample = mutants.filter(({ id }) => sampleIds.has(id));

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
