import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testNames } from '../helpers/test-names.js';
import { mutants } from './list/index.js';
import { plant, readSources } from './plant.js';

describe('the mutants', () => {
  const sources = readSources();

  it.each(mutants.map((mutant) => [mutant.id, mutant] as const))('%s has its place in src', (_, mutant) => {
    const { file, text } = plant(mutant, sources);
    expect(text).not.toBe(sources.find((source) => source.file === file)?.text);
  });

  it.each(mutants.flatMap(({ id, caughtBy }) => ('test' in caughtBy ? [[id, caughtBy] as const] : [])))(
    '%s has its test',
    (_, { test, name }) => {
      const path = join(import.meta.dirname, '..', '..', test);
      const names = existsSync(path) ? testNames(readFileSync(path, 'utf8')) : [];
      expect(names).toContainEqual(expect.stringContaining(name));
    },
  );

  it('have ids of their own', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  });

  it('are left to the random schedules for the most part', () => {
    const bySchedules = mutants.filter(
      ({ caughtBy }) => 'figure' in caughtBy && caughtBy.figure === 'random-fault-schedules',
    );
    expect(bySchedules.length).toBeGreaterThanOrEqual(15);
  });
});
