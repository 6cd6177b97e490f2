import { join } from 'node:path';
import { catchError, throwError } from 'rxjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { serviceError } from '../../src/core/errors/service-error.js';
import { bundleProgram } from '../helpers/bundle-program.js';
import { canaries, canaryKey } from '../helpers/canaries.js';
import { encodingsOf } from '../helpers/canary.js';
import { clientWith } from '../helpers/client-with.js';
import { openSinks, sinks } from '../helpers/sinks.js';
import { drop, replace } from '../mutants/mutant.js';
import { plant, type Planted } from '../mutants/plant.js';
import { branch, literal, operation, value } from '../mutants/selectors.js';
import { drawSchedule } from '../simulation/draw-schedule.js';
import { type MakeClient, realClient } from '../simulation/play.js';
import type { Tally } from './figure.js';
import { playRange } from './play-range.js';
import { playRedirects } from './redirect-cases.js';
import { liveThrough, noLeaks } from './no-leaks.js';
import { cleanProcesses } from './clean-processes.js';
import { playCommands } from './command-line.js';
import { noSecretShown } from './no-secret-shown.js';
import { playSchedules } from './schedules.js';

/** Tells the key with each error. */
const talkative: MakeClient = (platform) => {
  const client = realClient(platform);
  const leaking = (): Error =>
    serviceError('ServerError', { message: `no answer to ${canaryKey(1)}`, status: 500 });
  return clientWith(client, {
    run: (...args: Parameters<typeof client.run>) =>
      client.run(...args).pipe(catchError(() => throwError(() => leaking()))),
  });
};

const s8Of = (tally: Partial<Tally>): readonly string[] =>
  noSecretShown.derive(
    new Map([['secret-cases', { counts: { 'followed elsewhere': 1_000 }, problems: [], ...tally }]]),
  ).problems;

const seenOf = (shown: ReturnType<ReturnType<typeof openSinks>>): Pick<Required<Tally>, 'seen'> => ({
  seen: { ...shown, processes: 1, unhandled: [] },
});

describe('no-secret-shown catches', () => {
  it.each(encodingsOf(canaries.key))('the key in a text (%s)', (_, form) => {
    const close = openSinks();
    sinks.text('a line', `before ${form} after`);
    expect(s8Of(seenOf(close()))).toEqual([expect.stringContaining('a line: key')]);
  });

  it('the signature deep in an inspected value, and the key of a program', () => {
    const close = openSinks();
    sinks.value('a value', { a: { b: [{ c: new Error('x', { cause: { url: canaries.signature } }) }] } });
    sinks.program('a program', { stdout: '', stderr: `(node:1) Warning\n${canaries.partnerKey}` });
    const shown = close();
    expect(s8Of(seenOf(shown)).join()).toMatch(/a program, standard error: partnerKey.*a value: signature/u);
    expect(shown).toMatchObject({ programs: 1, warnings: ['a program: (node:1) Warning'] });
  });

  it('a client that shows its key in an error', async () => {
    const close = openSinks();
    await playSchedules(
      { id: 'random-fault-schedules', draw: drawSchedule, makeClient: talkative },
      { from: 1, count: 4 },
    );
    expect(s8Of(seenOf(close()))).not.toEqual([]);
  });

  it.each([
    ['a referer', () => ({ referer: 'http://127.0.0.1/' })],
    ['the key', () => ({ 'x-trace': canaryKey(1) })],
    ['a cookie', () => ({ cookie: 'session=1' })],
  ])('%s that another origin is sent', async (_, extra) => {
    const tally = await playRedirects({ from: 1, count: 12 }, (platform) => ({
      ...platform,
      request: (request) => platform.request({ ...request, headers: { ...request.headers, ...extra() } }),
    }));
    expect(tally.counts['leaks']).toBeGreaterThan(0);
    expect(s8Of(tally)).not.toEqual([]);
  });

  it('a board that looked at nothing, or followed too few redirects', () => {
    expect(noSecretShown.derive(new Map()).problems).toHaveLength(2);
  });
});

describe('clean-processes catches', () => {
  it('a board that looked at nothing', () => {
    expect(cleanProcesses.derive(new Map()).problems).toHaveLength(1);
  });

  let program: string;
  beforeAll(async () => {
    program = await bundleProgram(join(import.meta.dirname, 'planted', 'untidy.ts'));
  });

  it.each(['rejection', 'exception', 'warning', 'deprecation', 'standard error', 'no tally'])(
    'a process that leaves this: %s',
    async (what) => {
      const tally = await playRange(what, { from: 1, count: 1 }, program);
      expect(cleanProcesses.derive(new Map([['random-fault-schedules', tally]])).problems).not.toEqual([]);
    },
  );

  it('nothing where nothing is left', async () => {
    const tally = await playRange('nothing', { from: 1, count: 1 }, program);
    expect(cleanProcesses.derive(new Map([['random-fault-schedules', tally]]))).toMatchObject({
      counts: { processes: 1, unhandled: 0, warnings: 0 },
      problems: [],
    });
  });
});

describe('no-leaks catches', () => {
  it.each([
    ['a timer', 'does not end by itself'],
    ['a socket', 'sockets are left'],
    ['an abort listener', 'abort listeners are left'],
    ['a process listener', 'listeners are left'],
  ])('a client that leaves %s', async (plant, problem) => {
    const { problems } = await liveThrough({ from: 1, count: 8 }, plant);
    expect(problems.join()).toContain(problem);
  });

  it('a client that leaves memory', async () => {
    const tally = await liveThrough({ from: 1, count: 8 }, 'memory');
    expect(noLeaks.shortfalls?.(tally, 8)).toContain('the heap grew');
  });

  it('a heap that grew, a program that was slow to end, and lifecycles that were left out', () => {
    const of = (counts: Readonly<Record<string, number>>) =>
      noLeaks.shortfalls?.({ counts, problems: [] }, 10);
    const fine = { lifecycles: 10, 'MiB of heap': 5, 'ms to exit': 200 };
    expect(of(fine)).toEqual([]);
    for (const bad of [{ lifecycles: 9 }, { 'MiB of heap': 5.1 }, { 'ms to exit': 201 }])
      expect(of({ ...fine, ...bad })).toHaveLength(1);
    expect(of({})).toHaveLength(3);
  });
});

describe('command-line catches', () => {
  const showCursor = '\u001B[?25h';
  it.each<readonly [string, readonly Omit<Planted, 'id'>[], RegExp]>([
    [
      'another exit code',
      [{ in: 'exitCodes', change: replace(literal(130), '0') }],
      /^SIGINT while connecting, --on-interrupt detach$/u,
    ],
    [
      'a job that is cancelled unasked',
      [{ in: 'runCommand', change: replace(operation('onInterrupt', 'cancel'), 'true') }],
      /^SIGINT while running, --on-interrupt detach$/u,
    ],
    [
      'a hidden cursor',
      [
        { in: 'showCursor', change: replace(value(), "''") },
        { in: 'processIo', change: replace(literal(showCursor), "''") },
      ],
      /terminal: SIGTERM$/u,
    ],
    [
      'colours without a terminal',
      [{ in: 'openReporter', change: replace(value('capable'), 'true') }],
      /^no terminal, $/u,
    ],
    ['a forgotten job key', [{ in: 'run', change: drop(branch('once')) }], /^SIGKILL while downloading/u],
    [
      'a broken pipe that goes unnoticed',
      [{ in: 'brokenPipe', change: replace(literal('pipe'), "'SIGHUP'") }],
      /^nobody reads from the/u,
    ],
  ])(
    'a command with %s',
    async (_, mutants, only) => {
      const mutated = mutants.map((mutant) => plant({ id: 'of command-line', ...mutant }));
      const { counts } = await playCommands({ from: 1, count: 2 }, { mutated, only });
      expect(counts['cases']).toBeGreaterThan(0);
      expect(counts['deviations']).toBeGreaterThan(0);
    },
    120_000,
  );
});
