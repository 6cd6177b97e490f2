import { buildCommand } from '../command/build-command.js';
import { type Caller, playHonest, submit } from './honest-caller.js';
import { type Command, runCommand } from '../command/run-command.js';
import { join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { randomOf } from '../../simulation/random.js';
import type { RedisServer } from '../../helpers/redis-server.js';
import { serveCommand } from './serve-command.js';
import { spoilJob, spoilWaiting } from './spoil-records.js';
import { startEmulator } from '../../../src/emulator.js';
import { tmpdir } from 'node:os';

const tokens = { honest: 'token-of-an-honest-caller', spoiled: 'token-of-a-spoiled-caller' };
const name = 'promptwire';

/** What became of a gateway and a worker whose records in Redis somebody has spoiled. */
export interface HostileRecords {
  /** Records that were spoiled. */
  readonly spoiled: number;
  /** The most resident memory of the gateway, in MiB. */
  readonly peakMiB: number;
  readonly problems: readonly string[];
  /** Jobs that waited and did not end, with what was spoiled of them. */
  readonly open: readonly string[];
}

/**
 * Spoils what `serve --redis` keeps of so many jobs, while the gateway and a worker run: jobs that have ended, and as many that wait. Then both
 * are started anew over it. Neither may end, no call may be answered by 5xx, and an honest caller beside them has all jobs.
 */
export const playHostileRecords = async (
  server: RedisServer,
  { seed, jobs }: { readonly seed: number; readonly jobs: number },
): Promise<HostileRecords> => {
  const random = randomOf(seed, 34);
  const redis = server.connect();
  await redis.flushall();
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-records-'));
  await using built = await buildCommand();
  await using emulator = await startEmulator({ dialect: 'local', speed: 50, concurrency: 8 });
  const address = `redis://127.0.0.1:${server.port}`;
  const problems: string[] = [];
  const attempt = async <Value>(what: string, make: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await make();
    } catch (error) {
      problems.push(`${what}: ${String(error)}`);
      return undefined;
    }
  };
  const command = (...argv: readonly string[]): Command =>
    runCommand({
      main: built.main,
      argv: [...argv, '--redis', address],
      env: {
        PROMPTWIRE_BASE_URL: emulator.baseUrl,
        PROMPTWIRE_WS_URL: emulator.wsUrl,
        PROMPTWIRE_STATE_DIR: join(folder, 'state'),
      },
      withinMs: 10 * 60_000,
    });
  const once = async (...argv: readonly string[]): Promise<void> => {
    const run = command(...argv);
    const code = await run.ended;
    if (code !== 0) problems.push(`${argv.join(' ')} ended with ${code}: ${run.stderr().slice(-300)}`);
  };
  const start = async (): Promise<Started> => {
    const serving = await serveCommand({ main: built.main, folder, emulator, tokens, redis: address });
    const worker = command('worker', '--dialect', 'local', '--tier', '4', '--grace', '0');
    if (!(await worker.waitForText('working on')))
      problems.push(`the worker said ${worker.stderr().slice(-400)}`);
    const end = async (): Promise<void> => {
      problems.push(...(await serving.end()));
      worker.kill('SIGTERM');
      const code = await worker.ended;
      if (code !== 0) problems.push(`the worker ended with ${code}: ${worker.stderr().slice(-600)}`);
    };
    return { serving, end };
  };
  try {
    const first = await start();
    const honest = { ...first.serving, token: tokens.honest, attempt };
    const spoiled = { ...first.serving, token: tokens.spoiled, attempt };
    const ended = (await playHonest(spoiled, 'ended', jobs)).map(({ id }) => id);
    await once('jobs', 'pause');
    const waiting: string[] = [];
    for (let nth = 0; nth < jobs; nth += 1) waiting.push(await submit(spoiled, `waiting-${nth}`));
    const what = new Map<string, string>();
    const queue = { redis, name, owner: 'spoiled' };
    for (const id of ended) what.set(id, await spoilJob(queue, id, random));
    for (const id of waiting) what.set(id, await spoilWaiting(queue, id, random));
    problems.push(...(await lookAt(spoiled, what, 'live')));
    await once('jobs', 'resume');
    const done = await playHonest(honest, 'honest', 6);
    const open = (await untilEnded(spoiled, waiting)).map((id) => what.get(id) ?? id);
    problems.push(...(await lookAt(spoiled, what, 'after the resume')));
    const peaks = [first.serving.peakMiB()];
    await first.end();

    const again = await start();
    const anew = { ...again.serving, attempt };
    problems.push(...(await lookAt({ ...anew, token: tokens.spoiled }, what, 'after a restart')));
    if (done.length < 6) problems.push(`${done.length} of 6 honest jobs`);
    const more = await playHonest({ ...anew, token: tokens.honest }, 'anew', 6);
    if (more.length < 6) problems.push(`${more.length} of 6 honest jobs after a restart`);
    for (const { id } of done) {
      const { status } = await ask({ ...anew, token: tokens.honest }, `/jobs/${id}`);
      if (status !== 200) problems.push(`an honest job is ${status} after a restart`);
    }
    peaks.push(again.serving.peakMiB());
    await again.end();
    return { spoiled: what.size, peakMiB: Math.max(...peaks), problems, open };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

interface Started {
  readonly serving: Awaited<ReturnType<typeof serveCommand>>;
  readonly end: () => Promise<void>;
}

const patienceMs = 15_000;

const ask = async (
  { base, token }: Caller,
  path: string,
): Promise<{ readonly status: number; readonly text: string }> => {
  try {
    const answer = await fetch(`${base}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(patienceMs),
    });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    return { status: 599, text: String(error) };
  }
};

/** Opens a stream, and reads its first piece or its end. */
const glance = async ({ base, token }: Caller, path: string): Promise<number> => {
  const over = new AbortController();
  try {
    const answer = await fetch(`${base}${path}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      signal: AbortSignal.any([over.signal, AbortSignal.timeout(patienceMs)]),
    });
    if (answer.ok) await answer.body?.getReader().read();
    return answer.status;
  } catch {
    return 599;
  } finally {
    over.abort();
  }
};

/** What is wrong with the answers about spoiled jobs: any of 5xx. */
const lookAt = async (
  caller: Caller,
  what: ReadonlyMap<string, string>,
  when: string,
): Promise<readonly string[]> => {
  const problems: string[] = [];
  const note = (path: string, status: number, text = ''): void => {
    if (status >= 500) problems.push(`${when}: ${path} is ${status} ${text.slice(0, 200)}`);
  };
  for (const path of [
    '/jobs?limit=100',
    '/api/v2/jobs?limit=100',
    '/jobs?limit=100&text=sunset',
    '/readyz',
  ]) {
    const { status, text } = await ask(caller, path);
    note(path, status, text);
  }
  note('/events', await glance(caller, '/events'));
  for (const [id, spoiled] of what) {
    for (const path of [`/jobs/${id}`, `/api/v2/jobs/${id}`]) {
      const { status, text } = await ask(caller, path);
      note(`${path} (${spoiled})`, status, text);
    }
    for (const path of [`/jobs/${id}/events?from=start`, `/api/v2/jobs/${id}/events`])
      note(`${path} (${spoiled})`, await glance(caller, path));
  }
  return problems;
};

/** Those of the jobs that have not ended in time. */
const untilEnded = async (caller: Caller, ids: readonly string[]): Promise<readonly string[]> => {
  const until = performance.now() + 20_000;
  let open = ids;
  while (open.length > 0 && performance.now() < until) {
    const still: string[] = [];
    for (const id of open) {
      const { status, text } = await ask(caller, `/jobs/${id}`);
      if (status === 404) continue;
      const { state } = JSON.parse(status === 200 ? text : '{}') as { readonly state?: { phase?: string } };
      if (!['completed', 'failed', 'cancelled', 'untraceable'].includes(state?.phase ?? '')) still.push(id);
    }
    open = still;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return open;
};
