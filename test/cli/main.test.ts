import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundledFile } from '../helpers/bundle-program.js';
import { gate } from './helpers/gate.js';
import { jsonLines } from './helpers/json-lines.js';
import { workspace } from './helpers/workspace.js';
import { slowWorkflow } from './helpers/workflows.js';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

const start = async (argv: readonly string[], env: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [await bundledFile(main, { withPackages: true }), ...argv], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return {
    child,
    stderr: text(child.stderr),
    ended: once(child, 'close') as Promise<[number | null, string | null]>,
  };
};

const firstLineWith = async (child: ChildProcess, word: string): Promise<string> => {
  const lines = createInterface({ input: child.stdout! });
  for await (const line of lines) if (line.includes(word)) return line;
  throw new Error(`standard output ended without ${word}`);
};

describe('the command as a process of its own', () => {
  it('ends by itself with its exit code and pure JSON lines', async () => {
    const { env, file } = await workspace();
    const { child, ended, stderr } = await start(
      ['run', await file('wf.json', slowWorkflow(2)), '--json'],
      env,
    );
    const stdout = text(child.stdout);
    expect(await ended).toEqual([0, null]);
    expect(await stderr).toBe('');
    expect(jsonLines(await stdout).at(-1)).toMatchObject({ kind: 'end', exit: 'done' });
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('J1, J2: %s stops watching with %i and leaves the job alone', async (signal, code) => {
    const { env, file, asked } = await workspace({ speed: 0.5 });
    const { child, ended, stderr } = await start(
      ['run', await file('wf.json', slowWorkflow(100_000)), '--json'],
      env,
    );
    const lines: string[] = [];
    const reading = createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (line.includes('in_progress') && !child.killed) child.kill(signal);
    });
    await once(reading, 'close');
    expect(await ended).toEqual([code, null]);
    expect(await stderr).toBe('');
    expect(jsonLines(`${lines.join('\n')}\n`).at(-1)).toMatchObject({ exit: signal, code });
    expect(asked().filter((request) => request.startsWith('POST'))).toEqual(['POST /api/prompt']);
  });

  it('J5: ends silently when the reader closes the pipe', async () => {
    const { env, file } = await workspace({ speed: 2 });
    const { child, ended, stderr } = await start(
      ['run', await file('wf.json', slowWorkflow(100_000)), '--json'],
      env,
    );
    await firstLineWith(child, 'submitted');
    child.stdout.destroy();
    expect(await ended).toEqual([141, null]);
    expect(await stderr).toBe('');
  });

  it('ends by itself with what it shows of many servers, and with jobs that ran on them', async () => {
    const { env, file } = await workspace();
    const engines = await Promise.all([1, 2].map(() => workspace({ dialect: 'local' })));
    const servers = engines.flatMap(({ emulator }) => ['--server', emulator.baseUrl]);
    const showing = await start(['servers', ...servers, '--once', '--json'], env);
    const shown = text(showing.child.stdout);
    expect(await showing.ended).toEqual([0, null]);
    expect(jsonLines(await shown)[0]).toMatchObject({ servers: [{ health: 'up' }, { health: 'up' }] });
    const files = await Promise.all([1, 2].map((seed) => file(`${seed}.json`, slowWorkflow(seed))));
    const running = await start(['run', ...files, ...servers, '--json'], env);
    const told = text(running.child.stdout);
    expect(await running.ended).toEqual([0, null]);
    const ends = jsonLines(await told).filter(({ phase }) => phase === 'completed');
    expect(new Set(ends.map(({ file: name }) => name))).toEqual(new Set(files));
  });

  it('J4: killed while it watches, and run again with its --job-key: the same job, submitted once', async () => {
    const { asked, cli, env, file } = await workspace({ speed: 0.5 });
    const argv = ['run', await file('wf.json', slowWorkflow(100_000)), '--job-key', 'k', '--json'];
    const { child, ended } = await start(argv, env);
    const submitted = jsonLines(`${await firstLineWith(child, 'submitted')}\n`)[0];
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    const again = cli(argv);
    await again.printed('in_progress');
    expect(jsonLines(again.stdout())[0]).toMatchObject({ promptId: submitted?.['promptId'], recorded: true });
    await cli(['cancel', String(submitted?.['promptId'])]).exit;
    expect(await again.exit).toBe(7);
    expect(asked().filter((request) => request === 'POST /api/prompt')).toHaveLength(1);
  });

  it('J4: killed during the submission, and run again with its --job-key: it refuses', async () => {
    const { asked, cli, emulator, env, file } = await workspace();
    const { baseUrl, arrived } = await gate(emulator.baseUrl, 'POST /api/prompt');
    const argv = ['run', await file('wf.json', slowWorkflow(1)), '--job-key', 'k'];
    const { child, ended } = await start(argv, { ...env, PROMPTWIRE_BASE_URL: baseUrl });
    await arrived;
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(await cli(argv, { env: { PROMPTWIRE_BASE_URL: baseUrl } }).exit).toBe(8);
    expect(asked().filter((request) => request === 'POST /api/prompt')).toHaveLength(1);
  });

  it('J1: a second signal ends it at once, though the service never answers the cancellation', async () => {
    const { emulator, env, file } = await workspace({ speed: 0.5 });
    const { baseUrl, arrived } = await gate(emulator.baseUrl, 'POST /api/queue');
    const argv = ['run', await file('wf.json', slowWorkflow(100_000)), '--on-interrupt', 'cancel', '--json'];
    const { child, ended } = await start(argv, { ...env, PROMPTWIRE_BASE_URL: baseUrl });
    await firstLineWith(child, 'in_progress');
    child.stdout.resume();
    child.kill('SIGINT');
    await arrived;
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
  });
});
