import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { join } from 'node:path';
import { openJournal } from '../../../src/gateway/node/file-journal.js';
import { tmpdir } from 'node:os';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promptwire-journal-'));
});
afterEach(() => rm(folder, { recursive: true }));

const lines = (count: number): number[] => Array.from({ length: count }, (_, nth) => nth);

it('keeps the old file where a new one can’t be written, and tries again only once much more was appended', async () => {
  const path = join(folder, 'jobs.jsonl');
  const journal = await openJournal(path, () => undefined, { sync: false });
  await journal.append(lines(1_000));
  expect(journal.isStale(1)).toBe(true);
  // A folder stands where the new file would be written.
  await mkdir(`${path}.new`);
  await journal.compact([0]);
  expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(1_001);
  await journal.append([0]);
  expect(journal.isStale(1)).toBe(false);
  await journal.append(lines(1_000));
  expect(journal.isStale(1)).toBe(true);
  await rm(`${path}.new`, { recursive: true });
  await journal.compact([0]);
  expect(await readFile(path, 'utf8')).toBe('0\n');
  await journal.close();
});
