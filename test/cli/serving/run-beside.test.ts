import { expect, it } from 'vitest';
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
