import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { jsonLines } from './helpers/json-lines.js';
import { workspace } from './helpers/workspace.js';
import { copyWorkflow, failingWorkflow, slowWorkflow } from './helpers/workflows.js';
import { textToImageWorkflow } from '../../src/emulator.js';

const endOf = (stdout: string) => jsonLines(stdout).at(-1);
const unknownId = '00000000-0000-4000-8000-000000000000';

describe.concurrent('J7: the kinds of end', () => {
  it.each([
    ['ValidationError', 'invalidWorkflow', 5],
    ['InsufficientFundsError', 'billing', 4],
    ['InactiveSubscriptionError', 'billing', 4],
    ['ValueError', 'failed', 6],
  ])('a job that fails with %s ends as %s', async (exceptionType, exit, code) => {
    const { cli, file } = await workspace();
    const running = cli(['run', await file('wf.json', failingWorkflow(exceptionType)), '--json']);
    expect(await running.exit).toBe(code);
    expect(endOf(running.stdout())).toMatchObject({ exit, code });
  });

  it('auth: the key is unknown, or there is none', async () => {
    const { cli } = await workspace();
    expect(await cli(['user'], { env: { PROMPTWIRE_API_KEY: 'another' } }).exit).toBe(3);
    expect(await cli(['user'], { env: { PROMPTWIRE_API_KEY: undefined } }).exit).toBe(3);
  });

  it('E24: auth: the key is revoked while the job runs, which goes on', async () => {
    const { cli, file, emulator } = await workspace({ speed: 0.5 });
    const running = cli(['run', await file('wf.json', slowWorkflow(100_000)), '--json']);
    await running.printed('in_progress');
    emulator.setFaults([{ on: 'account', do: 'revoke' }]);
    emulator.cutSockets();
    expect(await running.exit).toBe(3);
    expect(endOf(running.stdout())).toMatchObject({ exit: 'auth', resume: expect.any(String) as string });
  });

  it.each(['no credits', 'inactive'] as const)('billing: %s', async (billing) => {
    const { cli, file } = await workspace({ billing });
    expect(await cli(['run', await file('wf.json', slowWorkflow(1))]).exit).toBe(4);
  });

  it('invalidWorkflow: the service refuses it, each node named', async () => {
    const { cli, file } = await workspace();
    const running = cli(['run', await file('wf.json', copyWorkflow)]);
    expect(await running.exit).toBe(5);
    expect(running.stderr()).toContain('node 1 (LoadImage)');
  });

  it('cancelled: by its id, from another command, without the account-wide interrupt', async () => {
    const { cli, file, asked } = await workspace({ speed: 0.5 });
    const running = cli(['run', await file('wf.json', slowWorkflow(100_000)), '--json']);
    await running.printed('in_progress');
    const promptId = String(jsonLines(running.stdout())[0]?.['promptId']);
    const cancelling = cli(['cancel', promptId]);
    expect(await cancelling.exit).toBe(0);
    expect(cancelling.stdout()).toBe(`Cancelled ${promptId}\n`);
    expect(await running.exit).toBe(7);
    expect(endOf(running.stdout())).toMatchObject({ exit: 'cancelled', promptId });
    expect(asked()).not.toContain('POST /api/interrupt');
  });

  it('cancelled as well: by the account-wide interrupt, which only its own command uses', async () => {
    const { cli, file, asked } = await workspace({ speed: 0.5 });
    const running = cli(['run', await file('wf.json', slowWorkflow(100_000))]);
    await running.printed('Running');
    const interrupting = cli(['interrupt']);
    expect(await interrupting.exit).toBe(0);
    expect(interrupting.stderr()).toContain('everything that runs for this account');
    expect(await running.exit).toBe(7);
    expect(asked()).toContain('POST /api/interrupt');
  });

  it('outcomeUnknown: the connection breaks before the answer', async () => {
    const { cli, emulator, file } = await workspace();
    emulator.answerOnce('POST', '/api/prompt', { status: 200, afterCommit: true, cut: true });
    const running = cli(['run', await file('wf.json', slowWorkflow(1)), '--json']);
    expect(await running.exit).toBe(8);
    expect(jsonLines(running.stdout()).map(({ kind }) => kind)).toEqual(['error', 'end']);
  });

  it('untraceable: an unknown job, class or file', async () => {
    const { cli } = await workspace();
    expect(await cli(['status', unknownId]).exit).toBe(9);
    expect(await cli(['outputs', unknownId]).exit).toBe(9);
    expect(await cli(['nodes', 'KSamplre']).exit).toBe(9);
  });

  it('download: the job completed, and the way to its files is told', async () => {
    const { cli, dir, emulator, file } = await workspace();
    const running = cli([
      'run',
      await file('wf.json', textToImageWorkflow({ steps: 1, width: 64, height: 64 })),
      '--out',
      dir,
      '--json',
    ]);
    emulator.answerOnce('GET', '/api/view', { status: 400 });
    expect(await running.exit).toBe(10);
    const end = endOf(running.stdout());
    expect(end).toMatchObject({
      exit: 'download',
      resume: `promptwire outputs ${String(end?.['promptId'])}`,
    });
  });

  it('F34: not found: an unknown id, with a warning while the service is asked again', async () => {
    const { cli } = await workspace({ dialect: 'local' });
    const running = cli(['follow', unknownId, '--dialect', 'local']);
    expect(await running.exit).toBe(9);
    expect(running.stderr()).toContain(`does not know ${unknownId} yet: asking again.`);
  });

  it('timeout: counted from the start of the process, which may be long ago', async () => {
    const { cli, file, asked } = await workspace();
    const running = cli(['run', await file('wf.json', slowWorkflow(1)), '--timeout', '5'], {
      uptimeMs: () => 60_000,
    });
    expect(await running.exit).toBe(11);
    expect(asked()).not.toContain('POST /api/prompt');
  });

  it('timeout: the job goes on, and the way back is told', async () => {
    const { cli, file, asked } = await workspace({ speed: 0.5 });
    const detached = cli(['run', await file('wf.json', slowWorkflow(100_000)), '--detach']);
    await detached.exit;
    const id = detached.stdout().trim();
    const following = cli(['follow', id, '--timeout', '2'], { uptimeMs: () => 1_000 });
    expect(await following.exit).toBe(11);
    expect(following.stderr()).toContain(`promptwire follow ${id}`);
    expect(asked()).not.toContain('POST /api/queue');
  });

  it('network: the port is closed', async () => {
    const { cli, env } = await workspace();
    const closed = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => closed.once('listening', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const running = cli(['queue'], { env: { ...env, PROMPTWIRE_BASE_URL: `http://127.0.0.1:${port}` } });
    expect(await running.exit).toBe(12);
  });

  it('service: the queue is full', async () => {
    const { cli, file } = await workspace({ switches: { queueLimit: 0 }, speed: 0.5 });
    expect(await cli(['run', await file('a.json', slowWorkflow(100_000)), '--detach']).exit).toBe(13);
  });

  it('goesOn: there are no outputs yet', async () => {
    const { cli, file } = await workspace({ speed: 0.5 });
    const detached = cli(['run', await file('wf.json', slowWorkflow(100_000)), '--detach']);
    await detached.exit;
    const fetching = cli(['outputs', detached.stdout().trim()]);
    expect(await fetching.exit).toBe(14);
    expect(fetching.stderr()).toContain('promptwire follow');
  });

  it('F24: incomplete: the record has fewer files than the service counts', async () => {
    const { cli, emulator, file, dir } = await workspace();
    const workflow = await file('wf.json', textToImageWorkflow({ steps: 1, width: 64, height: 64 }));
    const running = cli(['run', workflow, '--json', '--out', dir]);
    expect(await running.exit).toBe(0);
    const id = String(jsonLines(running.stdout())[0]?.['promptId']);
    const path = `/api/history_v2/${id}`;
    const body = JSON.stringify({ outputs: {}, status: { status_str: 'success', completed: true } });
    emulator.answerOnce('GET', path, { status: 200, body });
    const fetching = cli(['outputs', id]);
    expect(await fetching.exit).toBe(15);
    expect(fetching.stderr()).toContain('files may be missing');
    expect(fetching.stderr()).toContain(`promptwire outputs ${id}`);
  });

  it('J1: SIGINT before anything was submitted', async () => {
    const { cli, asked } = await workspace();
    const running = cli(['run', '-'], { stdin: new PassThrough() });
    running.signal('SIGINT');
    expect(await running.exit).toBe(130);
    expect(running.stderr()).toBe('Stopped before anything was submitted.\n');
    expect(asked()).toEqual([]);
  });

  it('J5: pipe: the reader went away, so the command leaves without a word', async () => {
    const { cli, file } = await workspace({ speed: 0.5 });
    const running = cli(['run', await file('wf.json', slowWorkflow(100_000)), '--json']);
    await running.printed('in_progress');
    running.breakPipe();
    expect(await running.exit).toBe(141);
    expect(running.stderr()).toBe('');
  });

  it('usage: each mistake in the command line', async () => {
    const { cli } = await workspace();
    expect(await cli([]).exit).toBe(2);
    expect(await cli(['fly']).exit).toBe(2);
    expect(await cli(['run']).exit).toBe(2);
    expect(await cli(['queue', '--no-such-flag']).exit).toBe(2);
    expect(await cli(['queue', '--dialect', 'klingon']).exit).toBe(2);
    expect(await cli(['follow', unknownId, '--timeout', 'soon']).exit).toBe(2);
    expect(await cli(['queue'], { env: { PROMPTWIRE_BASE_URL: undefined } }).exit).toBe(2);
    expect(await cli(['queue'], { env: { PROMPTWIRE_BASE_URL: 'not an address' } }).exit).toBe(2);
    expect(await cli(['--help']).exit).toBe(0);
    expect(await cli(['run', '--help']).exit).toBe(0);
    expect(await cli(['--version']).exit).toBe(0);
  });
});
