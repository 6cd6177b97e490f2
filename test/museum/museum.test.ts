import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { applyPatch } from './apply-patch.js';
import { patches } from './patches/index.js';
import { type Visit, visit } from './visit.js';

const root = join(import.meta.dirname, '..', '..');
/** A soak and most tests take seconds each; S23 of the scoreboard has them all. */
const tests: ReadonlySet<string> = new Set(['A8', 'D4', 'G1']);
const sample = patches.filter(({ id, caughtBy }) =>
  'test' in caughtBy ? tests.has(id) : caughtBy.figure !== 'S22' || caughtBy.within === 1,
);

describe('the museum of bugs', () => {
  let seen: Visit;
  beforeAll(async () => {
    seen = await visit(sample, Math.max(2, availableParallelism() - 1));
  }, 200_000);

  it.each(patches.map((patch) => [patch.id, patch] as const))(
    '%s has its place in the source',
    (_, patch) => {
      const source = readFileSync(join(root, patch.file), 'utf8');
      expect(applyPatch(source, patch)).not.toBe(source);
    },
  );

  it('has ids of its own', () => {
    expect(new Set(patches.map(({ id }) => id)).size).toBe(patches.length);
  });

  it.each(sample.map(({ id, story }) => [id, story] as const))('%s is caught: %s', (id) => {
    expect(seen.exhibits.find(({ patch }) => patch.id === id)?.caught).toBeDefined();
  });

  it('has no false alarm: what catches the bugs finds nothing without them', () => {
    expect(seen.falseAlarms).toEqual([]);
  });

  it('is left to S1 for the most part', () => {
    const byS1 = patches.filter(({ caughtBy }) => 'figure' in caughtBy && caughtBy.figure === 'S1');
    expect(byS1.length).toBeGreaterThanOrEqual(15);
  });

  it('says which patch has lost its place', () => {
    expect(() => applyPatch('nothing of it', patches[0]!)).toThrow(/patch A1 finds its place 0 times/u);
  });
});
