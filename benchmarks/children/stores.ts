import { answering } from '../tools/answering.js';
import { filePorts } from '../../src/gateway-node.js';
import type { StoreAnswer, StoreQuestion } from '../tools/stores.js';
import { settle } from '../tools/memory.js';

const options = { sync: false, maxEvents: 10_000_000, maxSize: 2 ** 40, maxJobs: 100_000 };
const events = (from: number) =>
  Array.from({ length: 100 }, (_, at) => ({ type: 'cancelRequested', at: from + at }) as const);

/** Adds jobs of a hundred events each, of ten owners. */
const fill = async (folder: string, count: number): Promise<StoreAnswer> => {
  const { index, log, close } = await filePorts(folder, options);
  const started = performance.now();
  const jobs = Array.from({ length: count / 100 }, (_, nth) => nth);
  for (let from = 0; from < jobs.length; from += 50) {
    await Promise.all(
      jobs.slice(from, from + 50).map(async (nth) => {
        const [id, owner] = [`job-${nth}`, `owner-${nth % 10}`];
        await index.add({
          ...{ id, owner, client: 'default', createdAt: nth, expiresAt: 9e15, submissionId: id },
          workflow: {},
        });
        await log.append(owner, id, events(nth));
      }),
    );
  }
  const ms = performance.now() - started;
  await close();
  return { ms, residentBytes: process.memoryUsage.rss(), heapBytes: 0, cpuMs: 0 };
};

/** Opens the folder, reads a page of each owner, and closes it. */
const start = async (folder: string): Promise<StoreAnswer> => {
  settle();
  const before = process.memoryUsage.rss();
  const { heapUsed } = process.memoryUsage();
  const started = performance.now();
  const cpu = process.cpuUsage();
  const { log, close } = await filePorts(folder, options);
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  const cpuMs = (user + system) / 1_000;
  for (let nth = 0; nth < 10; nth += 1) await log.read({ owner: `owner-${nth}` }, undefined, 200);
  const residentBytes = process.memoryUsage.rss() - before;
  settle();
  const heapBytes = process.memoryUsage().heapUsed - heapUsed;
  await close();
  return { ms, cpuMs, residentBytes, heapBytes };
};

answering(({ of, folder, events: count }: StoreQuestion) =>
  of === 'fill' ? fill(folder, count) : start(folder),
);
