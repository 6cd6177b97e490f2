import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Emulator, type EngineOutage, startEmulator } from '../../../src/emulator.js';
import type { PoolSaid, PoolTask } from './child.js';
import type { PoolClientName } from './pool-clients.js';
import { type PoolOutcome, type PoolWords, judgePool } from './judge-pool.js';

/** How many engines, and how many jobs of half a second they get. */
export const engines = 3;
export const jobs = 24;

/** A job without an end after so long has none: all of them take five seconds without an outage. */
const patienceMs = 90_000;

/** Runs the jobs with one pool in a process of its own; an outage strikes the first engine while it runs a job and has completed one. */
export const playPool = async (
  client: PoolClientName,
  outage?: EngineOutage,
): Promise<{ readonly outcome: PoolOutcome; readonly hasCrashed: boolean }> => {
  const fleet = await Promise.all(
    Array.from({ length: engines }, (_, at) =>
      startEmulator({ dialect: 'local', speed: 1, seed: at + 1, concurrency: 1 }),
    ),
  );
  try {
    const words = await hear(
      { client, baseUrls: fleet.map(({ baseUrl }) => baseUrl), jobs },
      async (over) => {
        const [first] = fleet;
        if (first === undefined || outage === undefined) return;
        while (!isAtWork(first) && !over.aborted) await delay(10);
        first.setFaults([outage]);
      },
    );
    const ledger = fleet.flatMap((engine) => engine.ledger.jobs);
    return { outcome: judgePool(jobs, ledger, words), hasCrashed: words.hasCrashed };
  } finally {
    await Promise.all(fleet.map((engine) => engine.close()));
  }
};

const isAtWork = ({ ledger }: Emulator): boolean =>
  ledger.jobs.some(({ state }) => state === 'completed') &&
  ledger.jobs.some(({ state }) => state === 'in_progress');

/** Starts a pool's process and listens until every job has an end, the process ends, or the patience is over. */
const hear = async (task: PoolTask, meanwhile: (over: AbortSignal) => Promise<void>): Promise<PoolWords> => {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(new URL('child.ts', import.meta.url))],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const completed = new Set<number>();
  const failed = new Set<number>();
  const over = new AbortController();
  const end = new Promise<boolean>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const said = parse(line);
      if (said?.what === 'completed') completed.add(said.job);
      if (said?.what === 'failed') failed.add(said.job);
      if (completed.size + failed.size === task.jobs) resolve(false);
    });
    child.once('exit', () => resolve(true));
  });
  const patience = delay(patienceMs, false, { signal: over.signal });
  patience.catch(() => undefined);
  child.stdin.end(JSON.stringify(task));
  const events = meanwhile(over.signal);
  const hasCrashed = await Promise.race([end, patience]);
  over.abort();
  await events;
  child.kill('SIGKILL');
  return { completed, failed, hasCrashed };
};

/** Peers print lines of their own. */
const parse = (line: string): PoolSaid | undefined => {
  try {
    return JSON.parse(line) as PoolSaid;
  } catch {
    return undefined;
  }
};
