import { createReadStream, createWriteStream, openSync } from 'node:fs';
import { getEventListeners } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { PassThrough } from 'node:stream';
import { runBeside } from '../../../src/cli/serving/run-beside.js';
import { textIn } from '../helpers/text-in.js';

/** Runs a line of the shell whose streams are no files; `stop` ends it. */
const run = (line: string, input = '', env: Readonly<Record<string, string | undefined>> = process.env) => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const stop = new AbortController();
  const code = runBeside(line, { io: { stdin, stdout, stderr }, env, stop: stop.signal });
  return { code, stop, stdout, stderr };
};

it('gives a program input, output and environment, and tells its exit code', async () => {
  const { code, stdout, stderr } = run('cat; echo "$OWN" >&2; exit 7', 'given', {
    ...process.env,
    OWN: 'own',
  });
  expect(await code).toBe(7);
  expect([textIn(stdout), textIn(stderr)]).toEqual(['given', 'own\n']);
  // What the command itself says later still has a place.
  expect([stdout.writableEnded, stderr.writableEnded]).toEqual([false, false]);
});

it('gives a program streams of the process themselves, so that it sees what they are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-beside-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [given, written] = [join(folder, 'given'), join(folder, 'written')];
  await writeFile(given, 'input');
  const stdin = createReadStream(given, { fd: openSync(given, 'r') });
  const stdout = createWriteStream(written, { fd: openSync(written, 'w') });
  const stderr = new PassThrough();
  const code = await runBeside('[ -f /dev/stdin ] && [ -f /dev/stdout ] && [ ! -f /dev/stderr ] && cat', {
    io: { stdin, stdout, stderr },
    env: process.env,
    stop: new AbortController().signal,
  });
  expect([code, await readFile(written, 'utf8')]).toEqual([0, 'input']);
});

it('leaves nothing on the signal of the command', async () => {
  const { code, stop } = run('exit 0');
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
  await code;
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
});

it('tells the signal that ended a program as shells do', async () => {
  expect(await run('kill -9 $$').code).toBe(137);
});

it('ends a program with the command, and needs no reader of the input', async () => {
  const { code, stop, stdout } = run('echo there; exec sleep 60', 'x'.repeat(1_000_000));
  await new Promise((resolve) => stdout.once('readable', resolve));
  stop.abort();
  expect(await code).toBe(143);
  expect(await run('exit 0').code).toBe(0);
});
