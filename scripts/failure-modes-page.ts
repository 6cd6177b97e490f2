import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { testNames } from '../test/helpers/test-names.js';
import { touchesNetwork } from '../test/helpers/touches-network.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where the table of failure modes is. */
export const failureModesFile = new URL('../docs/failure-modes.md', import.meta.url);

/** One entry of the table. */
export interface FailureMode {
  readonly id: string;
  readonly what: string;
  /** How it is covered, or `excused: ` and why it is not. */
  readonly covered: string;
  /** The files with tests that begin their names with its id. */
  readonly files: readonly string[];
}

/** Reads the entries of a page. */
export const readFailureModes = (page: string): readonly FailureMode[] =>
  page.split('\n').flatMap((line) => {
    if (!isEntry(line)) return [];
    const [, id = '', what = '', covered = '', by = ''] = line.split('|').map((cell) => cell.trim());
    return [{ id, what, covered, files: [...by.matchAll(/`([^`]+)`/gu)].map(([, file = '']) => file) }];
  });

/** The page with its entries as the tests are now: sentences and excuses are kept, what covers them is looked up. */
export const failureModesPage = async (page: string): Promise<string> => {
  const carriers = carriersById();
  const entries = new Map(readFailureModes(page).map((entry) => [entry.id, entry]));
  const lines = page.split('\n').map((line) => {
    const entry = isEntry(line) ? entries.get((line.split('|')[1] ?? '').trim()) : undefined;
    if (entry === undefined) return line;
    const { id, what, covered } = entry;
    const files = carriers.get(id) ?? [];
    const ways = files.length === 0 && covered.startsWith('excused: ') ? covered : waysOf(files);
    return `| ${id} | ${what} | ${ways} | ${files.map((file) => `\`${file}\``).join(', ')} |`;
  });
  const path = fileURLToPath(failureModesFile);
  return format(lines.join('\n'), { ...(await resolveConfig(path)), filepath: path });
};

/** The ids that a test's name begins with, as in `C1: …`, `E1, E2: …`, `G1 H8 …` and `C1` in a table of cases. */
export const idsOf = (name: string): readonly string[] => {
  const [, ids = ''] = /^((?:(?:[A-HJ-Z]\d{1,2}|I-\d{1,2})(?:, |: | (?!control)|$))+)/u.exec(name) ?? [];
  return ids.split(/[,: ]+/u).filter((id) => id !== '');
};

const isEntry = (line: string): boolean => /^\| (?:[A-HJ-Z]|I-)\d/u.test(line);

/** The ids that tests of a file begin their names with. */
export const idsIn = (file: string): ReadonlySet<string> =>
  new Set(testNames(readFileSync(join(root, file), 'utf8')).flatMap(idsOf));

const carriersById = (): ReadonlyMap<string, readonly string[]> => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((file) => join('test', file))
    // The tests of mutants show that other tests catch bugs, those of faults that the emulator can fail.
    .filter((file) => file.endsWith('.test.ts') && !/^test\/(?:mutants|docs|emulator\/faults)\//u.test(file))
    .sort();
  const carriers = new Map<string, string[]>();
  for (const file of files)
    for (const id of idsIn(file)) carriers.set(id, [...(carriers.get(id) ?? []), file]);
  return carriers;
};

/** How tests of these files cover something. */
export const waysOf = (files: readonly string[]): string => {
  const onLoopback = files.map((file) => touchesNetwork(join(root, file)));
  return [
    ...(onLoopback.includes(false) ? ['simulated'] : []),
    ...(onLoopback.includes(true) ? ['on loopback'] : []),
  ].join(', ');
};
