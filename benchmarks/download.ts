import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { createClient } from '../src/node.js';
import { floorDownload } from './baseline/download.js';
import type { Benchmark, Row } from './row.js';
import { askFreshProcess } from './tools/child.js';
import { inTurns } from './tools/in-turns.js';
import type { MemoryAnswer, MemoryQuestion } from './tools/memory.js';
import { mebibyte } from './tools/sizes.js';
import { startStorage } from './tools/storage.js';

const size = 1024 * mebibyte;

/** What it costs to have a large file on the disk. */
export const download: Benchmark = {
  name: 'download',
  title:
    'A file of 1 GiB from the storage of the emulator in another process to the disk, its length declared and checked. Baseline: `stream` of undici into a file.',
  run: async () => [await rate(), await memory()],
};

const rate = async (): Promise<Row> => {
  // A part of it is enough for the engine to have compiled both.
  const storage = await startStorage(size / 16);
  const { baseUrl, apiKey, file } = storage;
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-bench-'));
  const client = createClient({ baseUrl, apiKey });
  const ours = async (): Promise<string> => {
    const { files } = await lastValueFrom(client.download([file], folder));
    return files[0]?.path ?? '';
  };
  const theirs = async (): Promise<string> => {
    const path = join(folder, 'floor.bin');
    await floorDownload({ baseUrl, apiKey, filename: file.filename }, path);
    return path;
  };
  for (const get of [ours, theirs]) await timed(get, size / 16)();
  await storage.resize(size);
  const turns = await inTurns(
    { promptwire: timed(ours, size), floor: timed(theirs, size) },
    { rounds: 5, warmUps: 0 },
  );
  await client.close();
  await storage.end();
  await rm(folder, { recursive: true });
  return {
    what: '1 GiB',
    unit: 'MB/s',
    ours: size / 1e6 / turns.seconds('promptwire'),
    baseline: size / 1e6 / turns.seconds('floor'),
    ratio: turns.ratio('floor', 'promptwire'),
    target: { atLeast: 0.85 },
  };
};

/** Times one download; looking at the file and removing it doesn't count. */
const timed = (get: () => Promise<string>, bytes: number) => async (): Promise<number> => {
  const started = performance.now();
  const path = await get();
  const seconds = (performance.now() - started) / 1000;
  const saved = await stat(path);
  await rm(path);
  if (saved.size !== bytes) throw new Error(`${path} has ${saved.size} bytes`);
  return seconds;
};

const memory = async (): Promise<Row> => {
  const question: MemoryQuestion = { of: 'download', bytes: size };
  const { bytes } = await askFreshProcess<MemoryAnswer>('memory', question);
  return { what: 'growth of resident memory', unit: 'MiB', ours: bytes / mebibyte, target: { atMost: 64 } };
};
