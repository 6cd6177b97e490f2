import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textToImageWorkflow } from '../../src/emulator.js';
import { jsonLines } from './helpers/json-lines.js';
import { startCli } from './helpers/start-cli.js';
import { workspace } from './helpers/workspace.js';
import { failingWorkflow } from './helpers/workflows.js';

const small = textToImageWorkflow({ steps: 3, width: 64, height: 64 });

/** Runs a workflow with `--record`, and returns what it said and its recording. */
const recorded = async (workflow: object, ...flags: readonly string[]) => {
  const { cli, dir, file } = await workspace();
  const path = join(dir, 'job.jsonl');
  const running = cli([
    'run',
    await file('wf.json', workflow),
    '--json',
    '--out',
    dir,
    '--record',
    path,
    ...flags,
  ]);
  const exit = await running.exit;
  return { exit, path, dir, lines: jsonLines(running.stdout()), text: await readFile(path, 'utf8') };
};

const ofKind = (lines: readonly Readonly<Record<string, unknown>>[], kind: string) =>
  lines.filter((line) => line['kind'] === kind);

describe('promptwire replay', () => {
  it('shows a job that run recorded as run showed it', async () => {
    const run = await recorded(small);
    expect(run.exit).toBe(0);
    const replay = startCli(['replay', run.path, '--speed', 'max', '--json']);
    expect(await replay.exit).toBe(0);
    const lines = jsonLines(replay.stdout());
    expect(ofKind(lines, 'preview')).toEqual(ofKind(run.lines, 'preview'));
    const [before, after] = [run.lines, lines].map((all) => ofKind(all, 'state').at(-1));
    expect({ ...after, nodeCount: 0 }).toEqual({ ...before, nodeCount: 0 });
    expect(ofKind(lines, 'output').length).toBeGreaterThan(0);
    expect(lines.at(-1)).toMatchObject({ kind: 'end', exit: 'done', code: 0 });
  });

  it('plays for people, too, and from standard input', async () => {
    const { text } = await recorded(small);
    const replay = startCli(['replay', '-', '--speed', '1000'], { stdin: text });
    expect(await replay.exit).toBe(0);
    expect(replay.stderr()).toMatch(/Running\n(.*\n)*Completed\n/u);
    expect(replay.stdout()).toBe('');
  });

  it('ends as a failed job ended', async () => {
    const run = await recorded(failingWorkflow('OOMError'));
    const replay = startCli(['replay', run.path, '--speed', 'max', '--json']);
    expect(await replay.exit).toBe(run.exit);
    expect(ofKind(jsonLines(replay.stdout()), 'failure')).toEqual(ofKind(run.lines, 'failure'));
  });

  it('has no pictures where they were left out', async () => {
    const [whole, without] = [await recorded(small), await recorded(small, '--redact-media')];
    expect(without.text.length).toBeLessThan(whole.text.length);
    expect(without.text).toMatch(/"left":\d+/u);
    expect(whole.text).not.toMatch(/"left":/u);
    expect(await startCli(['replay', without.path, '--speed', 'max']).exit).toBe(0);
  });

  it.each([
    [
      'the job goes on where the recording ends',
      (text: string) => text.slice(0, text.indexOf('execution_success')).replace(/[^\n]*$/u, ''),
      14,
      /ends before the job does/u,
    ],
    [
      'a line that was cut',
      (text: string) => text.slice(0, text.indexOf('executing') + 3),
      2,
      /line \d+ is no JSON/u,
    ],
    ['a recording without a job', (text: string) => text.slice(0, text.indexOf('\n')), 2, /names no job/u],
    ['what is no recording', () => 'hello', 2, /neither a recording nor JSON/u],
  ])('says of %s', async (_, change, code, says) => {
    const { text, dir } = await recorded(small);
    const path = join(dir, 'changed.jsonl');
    await writeFile(path, change(text));
    const replay = startCli(['replay', path, '--speed', 'max']);
    expect(await replay.exit).toBe(code);
    expect(replay.stderr()).toMatch(says);
  });

  it('refuses a speed that is none, a missing file, and a recording that can not be written', async () => {
    expect(await startCli(['replay', 'x', '--speed', '0']).exit).toBe(2);
    expect(await startCli(['replay', '/nowhere/at/all']).exit).toBe(2);
    const { cli, file } = await workspace();
    const running = cli(['run', await file('wf.json', small), '--record', '/nowhere/at/all']);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain('ENOENT');
  });

  it('stops at once by Ctrl-C', async () => {
    const text = [
      { recording: 'promptwire', version: 1 },
      { ms: 0, direction: 'in', text: '{"type":"execution_start","data":{"prompt_id":"p1","timestamp":1}}' },
      { ms: 60_000, direction: 'in', text: '{"type":"execution_success","data":{"prompt_id":"p1"}}' },
    ].map((line) => `${JSON.stringify(line)}\n`);
    const slow = startCli(['replay', '-'], { stdin: text.join('') });
    await slow.printed('Running');
    slow.signal('SIGINT');
    expect(await slow.exit).toBe(130);
    expect(slow.stderr()).not.toContain('promptwire follow');
  });
});
