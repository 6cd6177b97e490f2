import { buildCommand } from './command/build-command.js';
import { completedMarks, type Honest, playHonest, submit } from './gateway/honest-caller.js';
import type { Figure, Range, Tally } from './figure.js';
import type { HostileTally } from './gateway/hostile-program.js';
import { join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { serveCommand } from './gateway/serve-command.js';
import type { SourceFile } from '../mutants/plant.js';
import { startEmulator } from '../../src/emulator.js';
import { startServer } from './sizes/processes.js';
import { tmpdir } from 'node:os';

const wholeCount = 200;
const mostTimes = 4;
const mostMiB = 1_024;
const tokens = { honest: 'token-of-an-honest-caller', hostile: 'token-of-a-hostile-caller' };

/** A server under a caller who means harm, beside callers who mean well. */
export const hostileCaller: Figure = {
  id: 'hostile-caller',
  what: 'promptwire serve --data at its default limits, before a local service: honest callers run jobs to their end and read an output, first alone, then beside a caller with a token of its own who sends bodies that crawl, break off, are deep, packed or as large as may be, half surrogates, a flood of jobs, uploads that stall, and holds streams, sockets, and readers of streams, large answers and files that read nothing or little (gateway, service and hostile caller in processes of their own)',
  target: `every honest job completes once, 0 refused; the median time until a job is answered ≤ ${mostTimes} times that without the hostile caller; RSS of serve ≤ ${mostMiB} MiB; 0 exits, 0 answers of 5xx but 503; a restart keeps every job`,
  count: wholeCount,
  splits: false,
  isAlone: true,
  run: (range) => besideHostile(range),
  shortfalls: ({ counts }, count) => [
    ...(counts['honest jobs'] === count ? [] : [`${counts['honest jobs'] ?? 0} of ${count} honest jobs`]),
    ...(count < wholeCount || (counts['times as long'] ?? Infinity) <= mostTimes
      ? []
      : [`an honest caller waited ${counts['times as long']!.toFixed(1)} times as long`]),
    ...((counts['most MiB of RSS'] ?? Infinity) <= mostMiB
      ? []
      : [`RSS grew to ${counts['most MiB of RSS']!.toFixed(0)} MiB`]),
  ],
};

/** Plays so many honest jobs, half of them beside the hostile caller; some files of the source may be mutated. */
export const besideHostile = async (
  { count }: Range,
  mutated: readonly SourceFile[] = [],
): Promise<Tally> => {
  const strength = Math.min(1, count / wholeCount);
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-hostile-'));
  await using built = await buildCommand(mutated);
  await using emulator = await startEmulator({ dialect: 'local', speed: 50, concurrency: 8 });
  const problems: string[] = [];
  const attempt = async <Value>(what: string, make: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await make();
    } catch (error) {
      problems.push(`${what}: ${String(error)}`);
      return undefined;
    }
  };
  try {
    const start = () => serveCommand({ main: built.main, folder, emulator, tokens });
    const serving = await start();
    const play = (name: string, many: number): Promise<readonly Honest[]> =>
      playHonest({ ...serving, token: tokens.honest, attempt }, name, many);
    // The code is compiled by then.
    await play('first', Math.ceil(count / 10));
    const alone = await play('alone', Math.ceil(count / 2));
    serving.forgetPeak();
    const job = await submit({ ...serving, token: tokens.hostile }, 'of the hostile caller');
    await using hostile = await startServer(new URL('gateway/hostile-program.ts', import.meta.url), [
      ...[serving.base, tokens.hostile, job, String(strength)],
    ]);
    const beside = await play('beside', Math.floor(count / 2));
    const { faults, tries } = await hostile.ask<HostileTally>('stop');
    const peakMiB = serving.peakMiB();
    problems.push(...new Set(faults));
    const ready = await attempt('readyz', async () => (await fetch(`${serving.base}/readyz`)).status);
    if (ready !== undefined && ready !== 200) problems.push(`/readyz is ${ready}`);
    problems.push(...(await serving.end()));

    const again = await start();
    const kept =
      (await attempt('the list after a restart', () => completedMarks({ ...again, token: tokens.honest }))) ??
      new Set();
    problems.push(...(await again.end()));
    for (const { mark } of [...alone, ...beside]) {
      const runs = emulator.ledger.jobs.filter(({ extraData }) => markOf(extraData) === mark);
      if (runs.length !== 1) problems.push(`${mark} ran ${runs.length} times`);
      if (!kept.has(mark)) problems.push(`${mark} is not kept as completed`);
    }
    return {
      counts: {
        'honest jobs': alone.length + beside.length,
        'hostile calls': Object.values(tries).reduce((sum, one) => sum + one, 0),
        'ms alone': median(alone.map(({ answeredMs }) => answeredMs)),
        'ms beside': median(beside.map(({ answeredMs }) => answeredMs)),
        'longest ms beside': Math.max(...beside.map(({ wholeMs }) => wholeMs)),
        'times as long':
          median(beside.map(({ answeredMs }) => answeredMs)) /
          median(alone.map(({ answeredMs }) => answeredMs)),
        'most MiB of RSS': peakMiB,
      },
      problems: problems.map((problem) => `${problem}; npm run scoreboard -- hostile-caller`),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? NaN;

const markOf = (extraData: Readonly<Record<string, unknown>>): unknown =>
  (extraData['extra_pnginfo'] as Readonly<Record<string, unknown>> | undefined)?.['mark'];
