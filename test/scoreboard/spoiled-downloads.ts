import { createHash } from 'node:crypto';
import type { SavedFile } from '../../src/core/files/download-state.js';
import { nodePlatform } from '../../src/core/platform/node.js';
import { isServiceError } from '../../src/core/errors/service-error.js';
import type { Platform } from '../../src/core/platform/platform.js';
import { inParallel } from '../helpers/in-parallel.js';
import { sinks } from '../helpers/sinks.js';
import { drawDownload } from './downloads/draw-download.js';
import { type FaultyStorage, faultyStorage } from './downloads/faulty-storage.js';
import { judgeDownload, type Outcome } from './downloads/judge-download.js';
import { runClock } from './downloads/run-clock.js';
import { saveOne } from './downloads/save-one.js';
import { type VirtualDisk, virtualDisk } from './downloads/virtual-disk.js';
import type { Figure, Range, Tally } from './figure.js';
import { watchProcess } from './process-health.js';

/** Saves one file of the service at this address. */
export type Save = (
  platform: Platform,
  baseUrl: string,
  filename: string,
  disk: VirtualDisk,
) => Promise<SavedFile>;

/** A storage that does everything wrong, on real sockets, and a disk of memory. */
export const spoiledDownloads: Figure = {
  id: 'spoiled-downloads',
  what: 'downloads under fault: expiry, cut, truncation, drip, stall, wrong body, compression, wrong part, change of the file, disk errors (real sockets)',
  target:
    '0 corrupt or partial files under a final name in 1,000 runs; every file verified is equal by sha256; every cut that can’t be seen is flagged',
  count: 1_000,
  splits: true,
  run: (range) => spoilDownloads(range),
  shortfalls: ({
    counts: { saved = 0, 'cut unseen': unseen = 0, flagged = 0, 'equal by sha256': equal = 0 },
  }) => [
    ...(unseen > 0 && flagged === unseen ? [] : [`${flagged} of ${unseen} cuts flagged`]),
    ...(equal > 0 && equal + unseen === saved ? [] : [`${equal} of ${saved - unseen} files equal`]),
  ],
};

/** Downloads a file for each seed of a range, a few at once. */
export const spoilDownloads = async ({ from, count }: Range, save: Save = saveByClient): Promise<Tally> => {
  const seenByProcess = watchProcess();
  const counts = {
    runs: 0,
    answers: 0,
    'spoiled answers': 0,
    saved: 0,
    'equal by sha256': 0,
    'cut unseen': 0,
    flagged: 0,
    'given up': 0,
    violations: 0,
  };
  const problems: string[] = [];
  const node = nodePlatform();
  await using storage = await faultyStorage();
  const seeds = Array.from({ length: count }, (_, index) => from + index);
  await inParallel(seeds, atOnce, async (seed) => {
    const outcome = await one(seed, storage, node, save);
    const { log, saved } = outcome;
    const isWhole =
      saved !== undefined && log.last !== undefined && sha256(outcome.onDisk) === sha256(log.last.bytes);
    const found = judgeDownload(outcome, isWhole);
    counts.runs += 1;
    counts.answers += log.asked;
    counts['spoiled answers'] += log.spoiled;
    counts.violations += found.length;
    if (saved === undefined) counts['given up'] += 1;
    else {
      counts.saved += 1;
      if (log.cutUnseen) counts['cut unseen'] += 1;
      else if (isWhole) counts['equal by sha256'] += 1;
      if (log.cutUnseen && !saved.verified) counts.flagged += 1;
    }
    problems.push(
      ...found.map((problem) => `${problem}; npm run replay -- spoiled-downloads --seed ${seed}`),
    );
  });
  await node.close();
  return { counts, problems: [...problems, ...(await seenByProcess())] };
};

const atOnce = 8;

const one = async (seed: number, storage: FaultyStorage, node: Platform, save: Save): Promise<Outcome> => {
  const run = drawDownload(seed);
  const clock = runClock();
  const log = storage.begin(run, clock);
  const disk = virtualDisk(run.disk, run.freeBytes);
  const platform: Platform = {
    ...node,
    clock,
    random: () => 0,
    files: disk.files,
    request: async (request) => {
      const response = await node.request(request);
      if (request.url.includes('/signed')) log.arrived = log.asked;
      return response;
    },
  };
  const ended = await save(platform, storage.baseUrl(seed), run.filename, disk).then(
    (saved) => ({ saved, error: undefined }),
    (error: unknown) => ({
      saved: undefined,
      error: isServiceError(error) ? error : new Error(String(error)),
    }),
  );
  sinks.value('a download', ended);
  return { ...ended, log, disk, onDisk: disk.entries.get(ended.saved?.path ?? '') ?? new Uint8Array() };
};

/** The client as it is published, but for its disk and its clock. */
export const saveByClient = (platform: Platform, baseUrl: string, filename: string): Promise<SavedFile> =>
  saveOne(platform, baseUrl, filename);

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
