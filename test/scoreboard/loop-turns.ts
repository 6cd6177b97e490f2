import { type BuiltCommand, buildCommand } from './command/build-command.js';
import type { Figure, Range, Tally } from './figure.js';
import { type LargeCall, largeCalls } from './gateway/large-calls.js';
import { largeStreams } from './gateway/large-streams.js';
import { connect } from 'node:net';
import { findProgram } from '../helpers/find-program.js';
import { join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { runCommand } from './command/run-command.js';
import { startRedis } from '../helpers/redis-server.js';
import { serveCommand, type ServedCommand } from './gateway/serve-command.js';
import { startEmulator, type Emulator } from '../../src/emulator.js';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';

const mostMs = 100;
/** Each entrance has a caller of its own, with its own limits. */
const entrances = Object.keys(largeCalls);
const tokens = Object.fromEntries(
  [...entrances, 'streams'].map((name) => [
    name.replaceAll(' ', '-'),
    `a-long-token-of-${name.replaceAll(' ', '-')}`,
  ]),
);
const calls = entrances.flatMap((entrance) => largeCalls[entrance]!.map((call) => ({ entrance, call })));

/**
 * The longest turn of a gateway's event loop, in which nobody else is served. With `TURNS_OVER=redis` it is that of `serve --redis` before a
 * worker, which no record has: a queue takes what the service refuses later.
 */
export const loopTurns: Figure = {
  id: 'loop-turns',
  what: `promptwire serve --data at its default limits: every entrance with bodies at its bounds (16 MiB, 100,000 values, 256 MiB of an upload), each hard to read in another way (${entrances.join(', ')}), streams of a job with thousands of events, and a restart with all of it (gateway and service in processes of their own); the time of the processor that the gateway's thread uses between two turns`,
  target: `longest turn of the gateway's event loop ≤ ${mostMs} ms, every call answered as it should be`,
  count: calls.length,
  splits: false,
  isAlone: true,
  run: (range) =>
    process.env['TURNS_OVER'] === 'redis' ? measureTurnsOverRedis(range) : measureTurns(range),
  shortfalls: ({ counts }) =>
    Object.entries(counts).flatMap(([name, ms]) =>
      name.startsWith('longest') && ms > mostMs ? [`${name}: ${ms.toFixed(0)}`] : [],
    ),
};

/** Plays so many calls to a gateway with its jobs in Redis, and a worker behind it; `tell` gets each longest turn. */
export const measureTurnsOverRedis = async (range: Range, tell?: (line: string) => void): Promise<Tally> => {
  await using server = await startRedis(findProgram('redis-server') ?? 'redis-server');
  return await measureTurns(range, tell, `redis://127.0.0.1:${server.port}`);
};

/** Plays so many calls; `tell` gets each longest turn. */
export const measureTurns = async (
  { count }: Range,
  tell: (line: string) => void = () => undefined,
  redis?: string,
): Promise<Tally> => {
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-turns-'));
  await using built = await buildCommand();
  await using emulator = await startEmulator({ dialect: 'local', speed: Infinity });
  const counts: Record<string, number> = {};
  const problems: string[] = [];
  const worker = redis === undefined ? undefined : await startWorker(built, emulator, redis);
  try {
    const serve = () => startWatched(built, emulator, folder, redis);
    const first = await serve();
    await warmUp(first, emulator);
    await first.longestTurn();
    const note = async (served: Watched, entrance: string, what = entrance): Promise<void> => {
      const name = `longest of ${entrance}, ms`;
      const ms = await served.longestTurn();
      counts[name] = Math.max(counts[name] ?? 0, ms);
      tell(`${ms.toFixed(0)} ms, ${what}`);
    };
    for (const { entrance, call } of calls.slice(0, count)) {
      const said = await ask(first, entrance, call);
      if (said !== undefined && (redis === undefined || said.status >= 500))
        problems.push(`${said.text}; npm run scoreboard -- loop-turns`);
      await note(first, entrance, `${entrance} ${call.path.slice(0, 60)}`);
    }
    problems.push(
      ...(await largeStreams({ base: first.base, token: tokens['streams']! }, count / calls.length)),
    );
    await note(first, 'streams');
    problems.push(...(await first.end()));
    const again = await serve();
    await again.longestTurn();
    for (const entrance of ['API v2', 'jobs'])
      for (const call of largeCalls['lists']!) {
        await ask(again, entrance, call);
        await note(again, 'a restart', `a restart ${call.path.slice(0, 60)}`);
      }
    problems.push(...(await again.end()));
    return { counts: { calls: Math.min(count, calls.length), ...counts }, problems };
  } finally {
    await worker?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
};

/** A command that tells the longest turn of its event loop since it was asked last. */
type Watched = ServedCommand & { readonly longestTurn: () => Promise<number> };

const startWatched = async (
  { main }: BuiltCommand,
  emulator: Emulator,
  folder: string,
  redis: string | undefined,
): Promise<Watched> => {
  const turnsAt = join(folder, 'turns');
  await rm(turnsAt, { force: true });
  const served = await serveCommand({ main, folder, emulator, tokens, turnsAt, redis });
  return { ...served, longestTurn: async () => Number(await text(connect(turnsAt))) };
};

const startWorker = async (
  { main }: BuiltCommand,
  { baseUrl, wsUrl }: Emulator,
  redis: string,
): Promise<AsyncDisposable> => {
  const worker = runCommand({
    main,
    argv: ['worker', '--redis', redis, '--dialect', 'local', '--tier', '4', '--grace', '0'],
    env: { PROMPTWIRE_BASE_URL: baseUrl, PROMPTWIRE_WS_URL: wsUrl },
    withinMs: 15 * 60_000,
  });
  if (!(await worker.waitForText('working on'))) throw new Error(`the worker said ${worker.stderr()}`);
  return {
    [Symbol.asyncDispose]: async () => {
      worker.kill('SIGTERM');
      await worker.ended;
    },
  };
};

/** The code is compiled by then. */
const warmUp = async (served: Watched, { baseUrl }: Emulator): Promise<void> => {
  await fetch(`${baseUrl}/object_info`).then((answer) => answer.text());
  const workflow = { 1: { class_type: 'SlowNode', inputs: { steps: 1 } } };
  for (let nth = 0; nth < 10; nth += 1)
    for (const [method, path, body] of [
      ['POST', '/api/v2/jobs', { workflow }],
      ['POST', '/jobs', { workflow, inputs: { 'SlowNode.steps': 2 } }],
      ['POST', '/preflight', { workflow }],
      ['PUT', '/templates/warm', { workflow, inputs: { steps: 'SlowNode.steps' } }],
      ['DELETE', '/templates/warm', undefined],
    ] as const)
      await ask(served, 'streams', {
        ...{ method, path, expects: 0 },
        ...(body !== undefined && { body: () => JSON.stringify(body) }),
      });
};

/** Makes a call; says what was wrong with its answer. */
const ask = async (
  { base }: Watched,
  entrance: string,
  { method, path, body, type = 'application/json', expects }: LargeCall,
): Promise<{ readonly status: number; readonly text: string } | undefined> => {
  const content = body?.();
  const headers = {
    authorization: `Bearer ${tokens[entrance.replaceAll(' ', '-')]}`,
    ...(content !== undefined && !(content instanceof FormData) && { 'content-type': type }),
  };
  const init = content === undefined ? {} : { body: content };
  const answer = await fetch(`${base}${path}`, { method, headers, ...init });
  const said = await answer.text();
  return answer.status === expects
    ? undefined
    : {
        status: answer.status,
        text: `${method} ${path.slice(0, 60)}: ${answer.status} ${said.slice(0, 200)}`,
      };
};
