import { type BuiltCommand, buildCommand } from './command/build-command.js';
import type { Figure, Range, Tally } from './figure.js';
import { type LargeCall, largeCalls } from './gateway/large-calls.js';
import { largeStreams } from './gateway/large-streams.js';
import { connect } from 'node:net';
import { join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
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

/** The longest turn of a gateway's event loop, in which nobody else is served. */
export const loopTurns: Figure = {
  id: 'loop-turns',
  what: `promptwire serve --data at its default limits: every entrance with bodies at its bounds (16 MiB, 100,000 values, 256 MiB of an upload), each hard to read in another way (${entrances.join(', ')}), streams of a job with thousands of events, and a restart with all of it (gateway and service in processes of their own); the time of the processor that the gateway's thread uses between two turns`,
  target: `longest turn of the gateway's event loop ≤ ${mostMs} ms, every call answered as it should be`,
  count: calls.length,
  splits: false,
  isAlone: true,
  run: (range) => measureTurns(range),
  shortfalls: ({ counts }) =>
    Object.entries(counts).flatMap(([name, ms]) =>
      name.startsWith('longest') && ms > mostMs ? [`${name}: ${ms.toFixed(0)}`] : [],
    ),
};

/** Plays so many calls; `tell` gets each longest turn. */
export const measureTurns = async (
  { count }: Range,
  tell: (line: string) => void = () => undefined,
): Promise<Tally> => {
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-turns-'));
  await using built = await buildCommand();
  await using emulator = await startEmulator({ dialect: 'local', speed: Infinity });
  const counts: Record<string, number> = {};
  const problems: string[] = [];
  try {
    const serve = () => startWatched(built, emulator, folder);
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
      if (said !== undefined) problems.push(`${said}; npm run scoreboard -- loop-turns`);
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
    await rm(folder, { recursive: true, force: true });
  }
};

/** A command that tells the longest turn of its event loop since it was asked last. */
type Watched = ServedCommand & { readonly longestTurn: () => Promise<number> };

const startWatched = async ({ main }: BuiltCommand, emulator: Emulator, folder: string): Promise<Watched> => {
  const turnsAt = join(folder, 'turns');
  await rm(turnsAt, { force: true });
  const served = await serveCommand({ main, folder, emulator, tokens, turnsAt });
  return { ...served, longestTurn: async () => Number(await text(connect(turnsAt))) };
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
): Promise<string | undefined> => {
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
    : `${method} ${path.slice(0, 60)}: ${answer.status} ${said.slice(0, 200)}`;
};
