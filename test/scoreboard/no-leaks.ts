import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startEmulator } from '../../src/emulator.js';
import { bundledFile } from '../helpers/bundle-program.js';
import { canaryKey } from '../helpers/canaries.js';
import { sinks } from '../helpers/sinks.js';
import type { Figure, Range, Tally } from './figure.js';
import type { Left } from './lifecycles/leak-watch.js';
import { strictFlags } from './play-range.js';

const heapMiB = 5;
const exitMs = 200;
/** A program that has reported what is left and still runs is ended after this long. */
const patienceMs = 2_500;

/** What is left of a client in its process. */
export const noLeaks: Figure = {
  id: 'no-leaks',
  what: 'leaks of a program after jobs of 12 kinds on real sockets, 16 at once, a new client for every 400',
  target: `after 10,000 job lifecycles and close: 0 handles, timers, sockets, listeners; heap ≤ +${heapMiB} MiB; exits by itself ≤ ${exitMs} ms`,
  count: 10_000,
  splits: false,
  run: (range) => liveThrough(range),
  shortfalls: ({ counts }, count) => [
    ...(counts['lifecycles'] === count ? [] : ['not all were lived through']),
    ...((counts['MiB of heap'] ?? Infinity) <= heapMiB ? [] : ['the heap grew']),
    ...((counts['ms to exit'] ?? Infinity) <= exitMs ? [] : ['the program was slow to end']),
  ],
};

interface LeakReport {
  readonly lifecycles: number;
  readonly left: Left;
  readonly grown: number;
}

/** Lets a program of its own live through the jobs of a range, with the leak that is planted, if any. */
export const liveThrough = async ({ from, count }: Range, plant = ''): Promise<Tally> => {
  const key = canaryKey('of-lifecycles');
  const dir = await mkdtemp(join(tmpdir(), 'promptwire-s12-'));
  await using emulator = await startEmulator({
    speed: Infinity,
    concurrency: 'unlimited',
    acceptKeys: [key],
    switches: { queueLimit: Infinity },
  });
  const child = spawn(
    process.execPath,
    ['--expose-gc', ...strictFlags, await bundledFile(program), emulator.baseUrl, key, dir].concat([
      String(from),
      String(count),
      plant,
    ]),
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let isEnded = false;
  child.stdout.once('data', () => setTimeout(() => isEnded || child.kill('SIGKILL'), patienceMs).unref());
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  isEnded = true;
  await rm(dir, { recursive: true, force: true });
  sinks.program('lifecycles', { stdout, stderr });

  const [report, exit] = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);
  if (report === undefined)
    return { counts: {}, problems: [`the program broke off: ${stderr.slice(0, 500)}`] };
  const { left, lifecycles, grown } = report as LeakReport;
  const all: readonly (readonly [string, number])[] = Object.entries<number>({ ...left });
  const remains = all.filter(([, number]) => number !== 0);
  return {
    counts: {
      lifecycles,
      left: remains.reduce((sum, [, number]) => sum + Math.abs(number), 0),
      ...left,
      'MiB of heap': grown,
      ...(exit === undefined ? {} : { 'ms to exit': (exit as { readonly exitMs: number }).exitMs }),
    },
    problems: [
      ...remains.map(([what, number]) => `I7 ${number} ${what} are left`),
      ...(exit === undefined ? ['the program does not end by itself'] : []),
      ...(stderr === '' ? [] : [`standard error: ${stderr.slice(0, 500)}`]),
    ],
  };
};

const program = new URL('lifecycles/program.ts', import.meta.url).pathname;
