import { setMaxListeners } from 'node:events';
import { writeSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { createClientOn } from '../../../src/client/client.js';
import type { Client } from '../../../src/client/client-types.js';
import { fileAccess } from '../../../src/core/files/file-access.js';
import { nodePlatform } from '../../../src/core/platform/node.js';
import { inParallel } from '../../helpers/in-parallel.js';
import { randomOf } from '../../simulation/random.js';
import { lifecycles } from './kinds.js';
import { leakWatch } from './leak-watch.js';
import { plants } from './plants.js';

/**
 * A program of its own that lives through so many jobs at once and one after the other, closes its clients, reports what is
 * left as one line of JSON, and ends by itself; the second line is how long that took.
 */
const [baseUrl = '', apiKey = '', dir = '', from = '1', count = '1', plant = ''] = process.argv.slice(2);

const atOnce = 16;
const perClient = 400;
/** Code that runs for the first time takes memory that no leak is. */
const warmUp = Math.min(1_500, Number(count));
// The file of this program is being closed until then.
await turn();
const watch = leakWatch();
const signal = new AbortController().signal;
// Node warns of more than ten calls that share a signal, which is what these do.
setMaxListeners(0, signal);
const kinds = lifecycles(dir);
const planted = plants[plant];

const live = async (first: number, most: number): Promise<void> => {
  for (let done = 0; done < most; done += perClient) {
    const platform = nodePlatform();
    const client = createClientOn(
      { ...platform, clock: watch.counted(platform.clock) },
      // Leaks are looked for here, not limits: jobs are over as fast as the service says.
      { baseUrl, apiKey, signal, tier: 'unlimited', requestBudget: { perSecond: 10_000, burst: 10_000 } },
      fileAccess,
    );
    const used = planted?.(client, signal) ?? client;
    await useUp(used, first + done, Math.min(perClient, most - done));
    await used.close();
  }
};

const useUp = async (client: Client, first: number, most: number): Promise<void> => {
  const seeds = Array.from({ length: most }, (_, index) => first + index);
  await inParallel(seeds, atOnce, async (seed) => {
    const [, lifecycle] = randomOf(seed, 13).pick(kinds);
    await lifecycle(client, seed, signal);
  });
};

const heapMiB = async (): Promise<number> => {
  for (let times = 0; times < 4; times += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed / 1024 / 1024;
};

await live(Number(from), warmUp);
const before = await heapMiB();
await live(Number(from) + warmUp, Number(count));
const left = await watch.left([signal]);
const grown = (await heapMiB()) - before;
writeSync(1, `${JSON.stringify({ lifecycles: Number(count), left, grown })}\n`);
const disposedAt = performance.now();
process.on('exit', () => writeSync(1, `${JSON.stringify({ exitMs: performance.now() - disposedAt })}\n`));
