import { type FileHandle, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { textToImageWorkflow } from '../../src/emulator.js';
import { gate } from './helpers/gate.js';
import { jsonLines } from './helpers/json-lines.js';
import { png } from './helpers/pictures.js';
import { workspace, type Workspace } from './helpers/workspace.js';
import { copyWorkflow, failingWorkflow, slowWorkflow } from './helpers/workflows.js';

const submissions = ({ asked }: Workspace): number =>
  asked().filter((request) => request === 'POST /api/prompt').length;

const records = async ({ stateDir }: Workspace): Promise<readonly string[]> =>
  (await readdir(join(stateDir, 'jobs'))).map((name) => join(stateDir, 'jobs', name));

const small = textToImageWorkflow({ steps: 1, width: 64, height: 64 });

/** What `about` tells of each file and folder whose content is being made durable, until the end of the test. */
const syncs = async <A>(about: (handle: FileHandle) => Promise<A>): Promise<readonly A[]> => {
  const handle = await open(import.meta.filename);
  const kind = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const noted: A[] = [];
  const spy = vi.spyOn(kind, 'sync').mockImplementation(async function (this: FileHandle) {
    noted.push(await about(this));
    return this.datasync();
  });
  onTestFinished(() => spy.mockRestore());
  return noted;
};

describe('run --job-key', () => {
  it('J4: submits once; run again, it watches the same job and saves its files', async () => {
    const ws = await workspace();
    const argv = ['run', await ws.file('wf.json', small), '--job-key', 'nightly', '--json'];
    const first = ws.cli([...argv, '--include', 'temp', '--out', join(ws.dir, 'a')]);
    expect(await first.exit).toBe(0);
    const second = ws.cli([...argv, '--include', 'temp', '--out', join(ws.dir, 'b')]);
    expect(await second.exit).toBe(0);
    const [before, after] = [first, second].map((running) => jsonLines(running.stdout()));
    expect(after?.[0]).toEqual({
      kind: 'submitted',
      promptId: before?.[0]?.['promptId'],
      recorded: true,
      nodeErrors: {},
    });
    expect(after?.filter(({ kind }) => kind === 'saved')).toHaveLength(2);
    expect(submissions(ws)).toBe(1);
  });

  it('J4: tells a person, and prints the id again with --detach', async () => {
    const ws = await workspace({ speed: 0.5 });
    const argv = ['run', await ws.file('wf.json', slowWorkflow(100_000)), '--job-key', 'k', '--detach'];
    const first = ws.cli(argv);
    expect(await first.exit).toBe(0);
    const again = ws.cli(argv);
    expect(await again.exit).toBe(0);
    expect(again.stdout()).toBe(first.stdout());
    expect(again.stderr()).toContain('An earlier run with this job key submitted it.');
    expect(submissions(ws)).toBe(1);
  });

  it('J4: of ten runs at once with one key, one submits', async () => {
    const ws = await workspace();
    const argv = ['run', await ws.file('wf.json', slowWorkflow(1)), '--job-key', 'k'];
    const exits = await Promise.all(Array.from({ length: 10 }, () => ws.cli(argv).exit));
    expect(exits).toContain(0);
    expect(exits.filter((exit) => exit !== 0 && exit !== 8)).toEqual([]);
    expect(submissions(ws)).toBe(1);
  });

  it('J4: an answer that never came makes every later run refuse, with what to do', async () => {
    const ws = await workspace();
    ws.emulator.answerOnce('POST', '/api/prompt', { status: 200, afterCommit: true, cut: true });
    const argv = ['run', await ws.file('wf.json', slowWorkflow(1)), '--job-key', 'k'];
    expect(await ws.cli(argv).exit).toBe(8);
    const second = ws.cli(argv);
    expect(await second.exit).toBe(8);
    const [path = ''] = await records(ws);
    expect(second.stderr()).toContain('Nothing was submitted now.');
    expect(second.stderr()).toContain(`delete ${path}`);
    expect(submissions(ws)).toBe(1);
  });

  it('J4: an interrupt during the submission leaves the intent', async () => {
    const ws = await workspace();
    const { baseUrl, arrived } = await gate(ws.emulator.baseUrl, 'POST /api/prompt');
    const argv = ['run', await ws.file('wf.json', slowWorkflow(1)), '--job-key', 'k'];
    const running = ws.cli(argv, { env: { PROMPTWIRE_BASE_URL: baseUrl } });
    await arrived;
    running.signal('SIGINT');
    expect(await running.exit).toBe(8);
    expect(await ws.cli(argv, { env: { PROMPTWIRE_BASE_URL: baseUrl } }).exit).toBe(8);
    expect(submissions(ws)).toBe(1);
  });

  it.each([
    ['a refusal', { status: 400 }, 5],
    ['a wrong key', { status: 401 }, 3],
    ['no credits', { status: 402 }, 4],
  ])('J4: %s sets the key free', async (_, answer, code) => {
    const ws = await workspace();
    const argv = ['run', await ws.file('wf.json', slowWorkflow(1)), '--job-key', 'k'];
    ws.emulator.answerOnce('POST', '/api/prompt', answer);
    expect(await ws.cli(argv).exit).toBe(code);
    expect(await records(ws)).toEqual([]);
    expect(await ws.cli(argv).exit).toBe(0);
  });

  it('J4: a stop before anything left sets the key free', async () => {
    const ws = await workspace();
    const { wsUrl, arrived } = await gate(ws.emulator.baseUrl, 'nothing else');
    const argv = ['run', await ws.file('wf.json', slowWorkflow(1)), '--job-key', 'k'];
    const running = ws.cli(argv, { env: { PROMPTWIRE_WS_URL: wsUrl } });
    await arrived;
    running.signal('SIGTERM');
    expect(await running.exit).toBe(143);
    expect(await ws.cli(argv).exit).toBe(0);
    expect(submissions(ws)).toBe(1);
  });

  it('J4: a job that failed is told again, not run again', async () => {
    const ws = await workspace();
    const argv = ['run', await ws.file('wf.json', failingWorkflow('OOMError')), '--job-key', 'k'];
    expect([await ws.cli(argv).exit, await ws.cli(argv).exit]).toEqual([6, 6]);
    expect(submissions(ws)).toBe(1);
  });

  it('J4: uploads nothing again', async () => {
    const ws = await workspace();
    const red = await ws.file(
      'red.png',
      png(8, 8, () => [200, 0, 0]),
    );
    const workflow = await ws.file('wf.json', copyWorkflow);
    const argv = ['run', workflow, '--upload', `1.image=${red}`, '--out', ws.dir, '--job-key', 'k'];
    expect([await ws.cli(argv).exit, await ws.cli(argv).exit]).toEqual([0, 0]);
    expect(ws.asked().filter((request) => request.startsWith('POST'))).toEqual([
      'POST /api/upload/image',
      'POST /api/prompt',
    ]);
  });

  it('stands for one workflow and one service', async () => {
    const ws = await workspace();
    const workflow = await ws.file('wf.json', small);
    const argv = ['run', workflow, '--job-key', 'k', '--out', join(ws.dir, 'out')];
    expect(await ws.cli(argv).exit).toBe(0);
    const other = ws.cli([...argv, '--set', '3.steps=2']);
    expect(await other.exit).toBe(2);
    expect(other.stderr()).toContain('another workflow');
    const elsewhere = ws.cli(argv, { env: { PROMPTWIRE_BASE_URL: 'http://user:secret@127.0.0.1:1/x/' } });
    expect(await elsewhere.exit).toBe(2);
    expect(elsewhere.stderr()).toContain('http://127.0.0.1:1/x');
    expect(elsewhere.stderr()).not.toContain('secret');
    expect(await ws.cli(['run', workflow, '--job-key', ' ']).exit).toBe(2);
    expect(await ws.cli(argv, { env: { PROMPTWIRE_BASE_URL: `${ws.emulator.baseUrl}/` } }).exit).toBe(0);
    expect(submissions(ws)).toBe(1);
  });

  it('J4: what it was about to do and what came of it would survive a power cut', async () => {
    const ws = await workspace();
    const file = await ws.file('wf.json', slowWorkflow(1));
    const synced = await syncs(async (handle) => {
      const about = await handle.stat();
      const what = about.isFile() ? await readFile((await records(ws)).at(-1)!, 'utf8') : 'the folder';
      return [
        /promptId/u.test(what) ? 'the answer' : what.startsWith('{') ? 'the intent' : what,
        submissions(ws),
      ];
    });
    expect(await ws.cli(['run', file, '--job-key', 'k']).exit).toBe(0);
    expect(synced).toEqual([
      ['the intent', 0],
      ['the folder', 0],
      ['the answer', 1],
      ['the folder', 1],
    ]);
  });

  it('H7: its record is for its owner only, and holds no key', async () => {
    const ws = await workspace();
    const key = ws.emulator.apiKey;
    const baseUrl = ws.emulator.baseUrl.replace('//', `//${key}:${key}@`);
    const argv = ['run', await ws.file('wf.json', slowWorkflow(1)), '--job-key', key];
    await ws.cli(argv, { env: { PROMPTWIRE_BASE_URL: baseUrl } }).exit;
    expect(await ws.cli(argv).exit).toBe(0);
    const paths = await records(ws);
    expect(paths).toHaveLength(1);
    for (const path of paths) {
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(`${path}${await readFile(path, 'utf8')}`).not.toContain(key);
    }
    expect((await stat(join(ws.stateDir, 'jobs'))).mode & 0o777).toBe(0o700);
  });

  it.each(['', '{"service":', '[]', '{"promptId":"x"}'])(
    'J4: takes a damaged record (%s) for an intent',
    async (text) => {
      const ws = await workspace();
      const argv = ['run', await ws.file('wf.json', slowWorkflow(1)), '--job-key', 'k'];
      expect(await ws.cli(argv).exit).toBe(0);
      const [path = ''] = await records(ws);
      await writeFile(path, text);
      expect(await ws.cli(argv).exit).toBe(8);
      expect(submissions(ws)).toBe(1);
    },
  );

  it('submits nothing where it can keep no record', async () => {
    const ws = await workspace();
    const file = await ws.file('wf.json', slowWorkflow(1));
    const running = ws.cli(['run', file, '--job-key', 'k'], { env: { PROMPTWIRE_STATE_DIR: file } });
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain('nothing was submitted');
    expect(ws.asked()).not.toContain('POST /api/prompt');
  });
});
