import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, toPromise } from '../src/node.js';
import { floorUpload } from './baseline/upload.js';
import type { Benchmark, Row } from './row.js';
import { askFreshProcess } from './tools/child.js';
import { startUploadService } from './tools/upload-service.js';
import { inTurns } from './tools/in-turns.js';
import type { MemoryAnswer, MemoryQuestion } from './tools/memory.js';
import { mebibyte } from './tools/sizes.js';

const size = 48 * mebibyte;
const apiKey = 'comfyui-0123456789abcdef';

/** What it costs to send a large file. */
export const upload: Benchmark = {
  name: 'upload',
  title:
    'A file of 48 MiB from the disk to another process. Baseline: `request` of undici sending the same form from a stream.',
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'promptwire-bench-'));
    const path = join(folder, 'file.png');
    await writeFile(path, Buffer.alloc(size, 0x5a));
    try {
      return [await rate(path), await memory(path)];
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

const rate = async (path: string): Promise<Row> => {
  const service = await startUploadService();
  const client = createClient({ baseUrl: service.baseUrl, apiKey });
  const turns = await inTurns(
    {
      promptwire: timed(() => toPromise(client.rest.uploadImage(path))),
      floor: timed(() => floorUpload(service.baseUrl, apiKey, path)),
    },
    { rounds: 9 },
  );
  await client.close();
  await service.end();
  return {
    what: '48 MiB',
    unit: 'MB/s',
    ours: size / 1e6 / turns.seconds('promptwire'),
    baseline: size / 1e6 / turns.seconds('floor'),
    ratio: turns.ratio('floor', 'promptwire'),
    target: { atLeast: 0.85 },
  };
};

const timed = (send: () => Promise<unknown>) => async (): Promise<number> => {
  const started = performance.now();
  await send();
  return (performance.now() - started) / 1000;
};

const memory = async (path: string): Promise<Row> => {
  const question: MemoryQuestion = { of: 'upload', path };
  const { bytes } = await askFreshProcess<MemoryAnswer>('memory', question);
  return { what: 'growth of resident memory', unit: 'MiB', ours: bytes / mebibyte, target: { atMost: 64 } };
};
