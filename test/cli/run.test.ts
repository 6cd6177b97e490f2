import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textToImageWorkflow } from '../../src/emulator.js';
import { jsonLines } from './helpers/json-lines.js';
import { png } from './helpers/pictures.js';
import { workspace } from './helpers/workspace.js';
import { copyWorkflow, failingWorkflow, slowWorkflow } from './helpers/workflows.js';

const small = textToImageWorkflow({ steps: 3, width: 64, height: 64 });

describe('promptwire run', () => {
  it('submits, watches and saves: paths on standard output, the course on standard error', async () => {
    const { cli, dir, file } = await workspace();
    const running = cli([
      'run',
      await file('wf.json', small),
      '--include',
      'temp',
      '--out',
      join(dir, 'out'),
    ]);
    expect(await running.exit).toBe(0);
    const paths = running.stdout().trim().split('\n');
    expect(paths).toHaveLength(2);
    for (const path of paths) {
      expect(path.startsWith(join(dir, 'out'))).toBe(true);
      expect((await readFile(path)).subarray(1, 4).toString()).toBe('PNG');
    }
    expect(running.stderr()).toMatch(/^Submitted as [\w-]+\n(.*\n)*Completed\n(.*\n)*Done in /u);
    expect(running.stderr()).toContain('  Sampler\n');
    expect(running.stderr()).not.toContain('\u001B');
  });

  it.each([[], ['--detach']])('N5 warns of an integer that can not be exact: %o', async (...options) => {
    const { cli, dir, file } = await workspace();
    const set = ['--set', 'Sampler.seed=1.2345678901234567891e19'];
    const running = cli(['run', await file('wf.json', small), '--out', dir, '--json', ...set, ...options]);
    expect(await running.exit).toBe(0);
    expect(jsonLines(running.stdout())).toContainEqual(
      expect.objectContaining({
        kind: 'problem',
        type: 'rounded_integer',
        severity: 'warning',
        input: 'seed',
      }),
    );
  });

  it('J6: writes nothing but documented JSON lines with --json, an end being the last', async () => {
    const { cli, dir, file } = await workspace();
    const running = cli(['run', await file('wf.json', small), '--json', '--out', dir]);
    expect(await running.exit).toBe(0);
    expect(running.stderr()).toBe('');
    const lines = jsonLines(running.stdout());
    expect([...new Set(lines.map(({ kind }) => kind))]).toEqual([
      'submitted',
      'state',
      'preview',
      'output',
      'saved',
      'end',
    ]);
    expect(lines.at(-1)).toMatchObject({ exit: 'done', code: 0, promptId: lines[0]?.['promptId'] });
    const progress = lines.filter(({ kind }) => kind === 'state').map((line) => Number(line['progress']));
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(progress.at(-1)).toBe(1);
  });

  it('sets inputs, so that another seed gives another picture', async () => {
    const { cli, dir, file } = await workspace();
    const workflow = await file('wf.json', small);
    const names = [];
    for (const seed of ['1', '1', '2']) {
      const running = cli([
        'run',
        workflow,
        '--set',
        `3.seed=${seed}`,
        '--set',
        '9.filename_prefix=x',
        '--out',
        dir,
        '--json',
      ]);
      expect(await running.exit).toBe(0);
      names.push(jsonLines(running.stdout()).find(({ kind }) => kind === 'saved')?.['filename']);
    }
    expect(names[0]).toBe(names[1]);
    expect(names[0]).not.toBe(names[2]);
  });

  it('uploads a picture and sets the input to its name', async () => {
    const { cli, dir, file, asked } = await workspace();
    const picture = await file(
      'red.png',
      png(8, 8, () => [200, 0, 0]),
    );
    const workflow = await file('wf.json', copyWorkflow);
    const running = cli(['run', workflow, '--upload', `1.image=${picture}`, '--out', dir, '--json']);
    expect(await running.exit).toBe(0);
    expect(jsonLines(running.stdout()).map(({ kind }) => kind)).toContain('uploaded');
    expect(asked().filter((request) => request.startsWith('POST'))).toEqual([
      'POST /api/upload/image',
      'POST /api/prompt',
    ]);
  });

  it('reads the workflow from standard input', async () => {
    const { cli } = await workspace();
    expect(await cli(['run', '-'], { stdin: JSON.stringify(slowWorkflow(1)) }).exit).toBe(0);
  });

  it('prints the id and leaves with --detach; the job can be followed to its end', async () => {
    const { cli, dir, file } = await workspace();
    const detached = cli(['run', await file('wf.json', small), '--detach']);
    expect(await detached.exit).toBe(0);
    const id = detached.stdout().trim();
    expect(detached.stderr()).toContain(`promptwire follow ${id}`);
    const following = cli(['follow', id, '--include', 'temp', '--out', dir, '--json']);
    expect(await following.exit).toBe(0);
    expect(jsonLines(following.stdout()).filter(({ kind }) => kind === 'saved')).toHaveLength(2);
    const again = cli(['outputs', id, '--include', 'temp', '--out', join(dir, 'again')]);
    expect(await again.exit).toBe(0);
    expect(again.stdout().trim().split('\n')).toHaveLength(2);
  });

  it('names nodes by title, class or id, and says what was meant', async () => {
    const { cli, file, emulator } = await workspace();
    const workflow = await file('wf.json', {
      ...small,
      '6': { ...small['6'], _meta: { title: 'Positive' } },
    });
    const run = (...sets: readonly string[]) =>
      cli(['run', workflow, '--detach', ...sets.flatMap((set) => ['--set', set])]);
    expect(await run('Positive.text=dusk', 'KSampler.seed=9', '3.steps=2').exit).toBe(0);
    const submissions = () =>
      emulator.requests.filter(({ method, url }) => method === 'POST' && url === '/api/prompt');
    expect(JSON.parse(String(submissions().at(-1)?.body))).toMatchObject({
      prompt: { '3': { inputs: { seed: 9, steps: 2 } }, '6': { inputs: { text: 'dusk' } } },
    });
    for (const [set, message] of [
      ['Positve.text=dusk', 'no node "Positve"; "Positive" is like it'],
      ['CLIPTextEncode.text=dusk', '2 nodes of the class "CLIPTextEncode": 6, 7'],
      ['Positive.txt=dusk', 'Node 6 (CLIPTextEncode) has no input "txt"; "text" is like it'],
    ] as const) {
      const running = run(set);
      expect([await running.exit, running.stderr()]).toEqual([2, expect.stringContaining(message)]);
    }
    expect(submissions()).toHaveLength(1);
    expect(await cli(['run', workflow, '--detach', '--no-validate', '--set', 'Positive.txt=dusk']).exit).toBe(
      0,
    );
  });

  it('never touches the network for what can be told here', async () => {
    const { cli, file, asked } = await workspace();
    const workflow = await file('wf.json', small);
    const ui = await file('ui.json', { nodes: [], links: [] });
    expect(await cli(['run', workflow, '--set', '99.seed=1']).exit).toBe(2);
    expect(await cli(['run', workflow, '--set', 'nonsense']).exit).toBe(2);
    expect(await cli(['run', workflow, '--set', '3.cfg=1e999']).exit).toBe(2);
    expect(await cli(['run', workflow, '--upload', '99.image=x.png']).exit).toBe(2);
    expect(await cli(['run', 'no-such-file.json']).exit).toBe(2);
    expect(await cli(['run', '-'], { stdin: '{' }).exit).toBe(2);
    expect(await cli(['run', ui]).exit).toBe(5);
    expect(asked()).toEqual([]);
  });

  it('sends large integers of the file and of --set exactly', async () => {
    const { cli, emulator, file } = await workspace();
    const seed = '18446744073709551615';
    const json = JSON.stringify(small, null, 1).replace(/"seed": *\d+/u, `"seed": ${seed}`);
    const sent = () => emulator.requests.findLast(({ method }) => method === 'POST')?.body;
    expect(await cli(['run', await file('big.json', json), '--detach', '--job-key', 'big']).exit).toBe(0);
    expect(sent()).toContain(`"seed":${seed},`);
    expect(
      await cli(['run', '-', '--set', '3.seed=18446744073709551614', '--detach'], { stdin: json }).exit,
    ).toBe(0);
    expect(sent()).toContain('"seed":18446744073709551614,');
  });

  it('refuses a number of the file beyond every double, unless it is replaced', async () => {
    const { cli, emulator, file } = await workspace();
    const json = JSON.stringify(small, null, 1).replace(/"seed": *\d+/u, '"seed": 1e999');
    const workflow = await file('big.json', json);
    const running = cli(['run', workflow]);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toMatch(/big\.json, line \d+: 3\.inputs\.seed is 1e999, which can't be sent/u);
    expect(running.stderr()).toContain(`--set '3.seed="1e999"'`);
    expect(emulator.requests).toEqual([]);
    expect(await cli(['run', workflow, '--set', '3.seed=7', '--detach']).exit).toBe(0);
  });

  it('takes the bare NaN and -Infinity that Python writes as null', async () => {
    const { cli, emulator, file } = await workspace();
    const json = JSON.stringify(small, null, 1).replace(
      /"seed": *\d+/u,
      '"seed": 7, "odd": [NaN, -Infinity, Infinity]',
    );
    expect(await cli(['run', await file('odd.json', json), '--detach', '--no-validate']).exit).toBe(0);
    expect(emulator.requests.findLast(({ method }) => method === 'POST')?.body).toContain(
      '"odd":[null,null,null]',
    );
  });

  it('tells why a job failed, with nothing in it that acts on a terminal', async () => {
    const { cli, file } = await workspace();
    const hostile = await file(
      'wf.json',
      failingWorkflow('OOMError', 'out of\u001B[2J memory\u001B]0;owned\u0007\u202E'),
    );
    const running = cli(['run', hostile]);
    expect(await running.exit).toBe(6);
    expect(running.stderr()).toContain('OOMError: out of memory');
    expect(running.stderr()).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/u);
    const json = cli(['run', hostile, '--json']);
    expect(await json.exit).toBe(6);
    expect(json.stdout()).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/u);
    expect(jsonLines(json.stdout()).at(-1)).toMatchObject({ exit: 'failed', code: 6 });
    expect(JSON.stringify(jsonLines(json.stdout()).find(({ kind }) => kind === 'failure'))).toContain(
      '\\u001b[2J',
    );
  });
});
