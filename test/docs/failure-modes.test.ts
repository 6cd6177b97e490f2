import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  failureModesFile,
  idsIn,
  idsOf,
  readFailureModes,
  waysOf,
} from '../../scripts/failure-modes-page.js';

/** Groups with the number of their first entries: none of those may go. */
const groups = [
  ['A', 13],
  ['B', 11],
  ['C', 18],
  ['D', 16],
  ['E', 21],
  ['F', 14],
  ['G', 22],
  ['H', 20],
  ['I-', 13],
  ['J', 8],
  ['L', 7],
  ['P', 1],
] as const;
const first = groups.flatMap(([group, count]) => Array.from({ length: count }, (_, n) => `${group}${n + 1}`));

const groupOf = (id: string): string => id.replace(/\d+$/u, '');

const numberOf = (id: string): number => Number(/\d+$/u.exec(id)?.[0]);

const root = join(import.meta.dirname, '..', '..');
const entries = readFailureModes(readFileSync(failureModesFile, 'utf8'));

describe('the table of failure modes', () => {
  it('has each id once, in order, with a sentence of its own', () => {
    const ids = entries.map(({ id }) => id);
    const inOrder = [...new Set(ids.map(groupOf))].flatMap((group) =>
      [...new Set(ids.filter((id) => groupOf(id) === group))].sort(
        (one, other) => numberOf(one) - numberOf(other),
      ),
    );
    expect(ids).toEqual(inOrder);
    expect(ids).toEqual(expect.arrayContaining(first));
    expect(new Set(entries.map(({ what }) => what)).size).toBe(ids.length);
    for (const { what } of entries) expect(what).toMatch(/^[A-Z].*\.$/u);
  });

  it('names files whose tests begin with the id (npm run generate renews it)', () => {
    const idsOfFile = new Map<string, ReadonlySet<string>>();
    const carries = (file: string, id: string): boolean => {
      const found = idsOfFile.get(file) ?? (existsSync(join(root, file)) ? idsIn(file) : new Set<string>());
      idsOfFile.set(file, found);
      return found.has(id);
    };
    const wrong = entries.flatMap(({ id, files }) =>
      files.filter((file) => !carries(file, id)).map((file) => `${id}: ${file}`),
    );
    expect(wrong).toEqual([]);
  });

  it('says of each how it is covered, or at length why it is not', () => {
    const wrong = entries.filter(({ covered, files }) =>
      files.length === 0 ? !/^excused: .{20}/u.test(covered) : covered !== waysOf(files),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['C1: what', ['C1']],
    ['E1, E2, I-13: what', ['E1', 'E2', 'I-13']],
    ['G1 H8 H9 sees', ['G1', 'H8', 'H9']],
    ['A1', ['A1']],
    ['C1 control characters', []],
    ['killed-queue-processes holds', []],
    ['I1 is an invariant', []],
    ['is as in C1', []],
  ])('reads the ids of %j', (name, found) => {
    expect(idsOf(name)).toEqual(found);
  });
});
