import { describe, expect, it } from 'vitest';
import { carelessFetches } from './downloads/careless-fetch.js';
import { carelessSaves } from './downloads/careless-saves.js';
import { readSlowly, slowSubscriber } from './slow-subscriber.js';
import { meetSizes, hostileSizes } from './hostile-sizes.js';
import { carelessNaming } from './names/careless-naming.js';
import { saveHostileNames } from './hostile-file-names.js';
import { spoiledDownloads, spoilDownloads } from './spoiled-downloads.js';
import { holdJobs } from './many-large-jobs.js';
import { followTargets } from './no-internal-addresses.js';

/** Some of them start several programs. */
const patienceMs = 120_000;

describe('a planted bug', () => {
  it.each([
    ['follows wherever it is sent', 'literal'],
    ['looks at the text of an address only', 'name'],
    ['looks at the first of several addresses', 'name among public ones'],
    ['looks at the first of several addresses', 'rebinding'],
  ] as const)('is caught by no-internal-addresses: a client that %s (%s)', async (name, way) => {
    const { counts, problems } = await followTargets({ from: 1, count: 10 }, carelessFetches[name]);
    expect(counts['connections to non-public addresses']).toBeGreaterThan(0);
    expect(problems.filter((problem) => problem.includes(` by ${way}: `))).not.toEqual([]);
    expect(problems[0]).toContain('npm run replay -- no-internal-addresses --seed ');
  });

  it.each([
    ['joins whatever name comes', 'escapes on POSIX'],
    ['joins whatever name comes', 'escapes on Windows'],
    ['takes the last part of a path as it is', 'opens a device'],
    ['takes the last part of a path as it is', 'holds a reserved character'],
    ['makes names safe one by one', 'meets another'],
    ['tells names apart by their letters alone', 'meets another'],
    ['puts a new file in place of an old one', 'overwrote a '],
    ['writes to its name and looks at nothing', 'escaped by a link to a file'],
    ['keeps a copy of its part file', 'left behind'],
  ])('is caught by hostile-file-names: a client that %s (%s)', async (name, problem) => {
    const { problems } = await saveHostileNames({ from: 4, count: 1 }, carelessNaming[name]);
    expect(problems.filter((found) => found.includes(problem))).not.toEqual([]);
    expect(problems[0]).toContain('npm run replay -- hostile-file-names --seed ');
  });

  it.each([
    ['takes what came before a cut for the whole', 'verified, and not equal'],
    ['takes every refusal for the last word', 'given up after 1 answers'],
    ['goes on with the bytes of whatever version', 'verified, and not equal'],
    ['writes under the final name', 'failed, and a file is there'],
    ['leaves its part files behind', 'left behind'],
    ['calls every file verified', 'verified is true of a length not announced'],
    ['calls no file verified', 'verified is false of a length announced'],
    ['does not look at what came', 'saved from an answer that had no file'],
  ])('is caught by spoiled-downloads: a client that %s', async (name, problem) => {
    const { problems } = await spoilDownloads({ from: 1, count: 60 }, carelessSaves[name]);
    expect(problems.filter((found) => found.startsWith(problem))).not.toEqual([]);
    expect(problems[0]).toContain('npm run replay -- spoiled-downloads --seed ');
  });

  it(
    'is caught by slow-subscriber: a reader that queues every preview',
    async () => {
      const count = 500;
      const tally = await readSlowly({ from: 1, count }, 'queueing');
      expect(tally.counts['previews seen']).toBe(count);
      // Each of them takes its reader 10 ms and 200 KB of the memory.
      expect(slowSubscriber.shortfalls?.(tally, count)).toHaveLength(2);
    },
    patienceMs,
  );

  it(
    'is caught by slow-subscriber: a reader that drops the oldest, whatever it is',
    async () => {
      const { counts, problems } = await readSlowly({ from: 1, count: 200 }, 'dropping the oldest');
      expect(counts['lost']).toBeGreaterThan(0);
      expect(problems[0]).toContain('lost execut');
    },
    patienceMs,
  );

  it(
    'is caught by hostile-sizes: a client that takes messages of any size',
    async () => {
      const tally = await meetSizes({ from: 1, count: 1 }, 'takes messages of any size');
      // The message alone is 64 MiB, once as bytes and once as text.
      expect(hostileSizes.shortfalls?.(tally, 1).join()).toContain('a frame of 64 MiB, MiB of RSS');
    },
    patienceMs,
  );

  it(
    'is caught by hostile-sizes: a client that ends jobs without their outputs',
    async () => {
      const { problems } = await meetSizes({ from: 1, count: 1 }, 'ends jobs without their outputs');
      expect(problems).toEqual([expect.stringContaining('the outputs are others than in truth')]);
      expect(problems[0]).toContain('npm run replay -- hostile-sizes --seed 1');
    },
    patienceMs,
  );

  it(
    'is caught by many-large-jobs: a client that keeps every frame of its jobs',
    async () => {
      const { counts, problems } = await holdJobs({ from: 1, count: 24 }, 'without bounds');
      expect(counts['completed']).toBe(0);
      expect(problems[0]).toContain('0 of 24 completed');
    },
    patienceMs,
  );

  it('of the flags is a miss of spoiled-downloads: a cut without one, or none at all', () => {
    const tally = (flagged: number, unseen = 9, equal = 91) => ({
      counts: { saved: 100, 'cut unseen': unseen, flagged, 'equal by sha256': equal },
      problems: [],
    });
    expect(spoiledDownloads.shortfalls?.(tally(9), 100)).toEqual([]);
    expect(spoiledDownloads.shortfalls?.(tally(8), 100)).toHaveLength(1);
    expect(spoiledDownloads.shortfalls?.(tally(0, 0, 100), 100)).toHaveLength(1);
    expect(spoiledDownloads.shortfalls?.(tally(9, 9, 90), 100)).toHaveLength(1);
  });
});
