import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundledFile } from '../helpers/bundle-program.js';
import { sinks } from '../helpers/sinks.js';
import type { Figure, Range, Tally } from './figure.js';
import { strictFlags } from './play-range.js';

const heapMiB = 128;

/** What the handles of many large jobs hold. */
export const manyLargeJobs: Figure = {
  id: 'many-large-jobs',
  what: '24 jobs of 200 nodes by submit, 400 frames of 36 KB for each, with all handles held',
  target: `all completed in a heap of ${heapMiB} MiB`,
  count: 24,
  splits: false,
  run: (range) => holdJobs(range),
};

/** Runs as many jobs in a process whose heap is limited, with frames kept within their bounds, or `without bounds`. */
export const holdJobs = async ({ count }: Range, plant: 'without bounds' | '' = ''): Promise<Tally> => {
  const program = join(import.meta.dirname, '..', 'integration', 'programs', 'many-large-jobs.ts');
  const flags = [...strictFlags, `--max-old-space-size=${heapMiB}`];
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [...flags, await bundledFile(program), String(count), plant],
    { timeout: 240_000 },
  ).catch((error: unknown) => error as { readonly stdout: string; readonly stderr: string });
  sinks.program('many large jobs', { stdout, stderr });
  const completed = Number(/^(\d+) of/u.exec(stdout)?.[1] ?? 0);
  return {
    counts: { jobs: count, completed },
    problems:
      completed === count ? [] : [`${completed} of ${count} completed: ${stderr.trim().slice(0, 300)}`],
  };
};
