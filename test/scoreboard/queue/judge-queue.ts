import { markOf, paidRuns, type QueueWorld } from './queue-world.js';
import { maxAtOnce } from './max-at-once.js';
import { join } from 'node:path';
import { readdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Compares a queue that has settled with the ledger of the service, or those of its servers: each job completed once, on the server that its record
 * names, and no server had more jobs than slots; and with the folder of its files.
 */
export const judgeQueue = async (world: QueueWorld, folder?: string): Promise<readonly string[]> => {
  const problems: string[] = [];
  const jobs = await world.list();
  const byId = new Map(jobs.map((job) => [job.id, job]));
  for (const [mark, id] of world.added) if (!byId.has(id)) problems.push(`${mark} is lost`);
  const runs = paidRuns(world);
  for (const [mark, count] of runs) if (count > 1) problems.push(`${mark} ran ${count} times`);
  for (const [mark, id] of world.added) {
    if (byId.get(id)?.phase === 'completed' && runs.get(mark) !== 1)
      problems.push(`${mark} ended without a run`);
  }
  for (const { name, slots, emulator } of world.engines) {
    const most = maxAtOnce(emulator.ledger.jobs);
    if (most > slots) problems.push(`${name} had ${most} jobs at once, with ${slots} slots`);
    for (const mark of emulator.ledger.jobs.map(markOf)) {
      const id = world.added.get(mark);
      // Producers in processes of their own add jobs as well, whose ids nobody knows.
      if (id === undefined) continue;
      const { server = 'none' } = byId.get(id) ?? {};
      if (server !== name) problems.push(`${mark} ran on ${name}, and its record names ${server}`);
    }
  }
  let missing = 0;
  for (const { id, phase, reason } of jobs) {
    if (phase === 'unknown') continue;
    if (phase !== 'completed') problems.push(`${id} is ${phase}: ${reason}`);
    else if (folder !== undefined && (await delivered(join(folder, id))) === 0) missing += 1;
  }
  if (missing > 0) problems.push(`the files of ${missing} jobs were not delivered`);
  return problems;
};

/** How many files a folder has, once it has one; deliveries that were cut are tried again within a minute. */
const delivered = async (folder: string): Promise<number> => {
  const until = performance.now() + 60_000;
  while (performance.now() < until) {
    const names = await readdir(folder).catch(() => []);
    const whole = names.filter((name) => !name.endsWith('.part'));
    if (whole.length > 0) return whole.length;
    await wait(200);
  }
  return 0;
};
