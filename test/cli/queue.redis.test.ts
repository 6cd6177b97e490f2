import { expect, it, onTestFinished } from 'vitest';
import { jsonLines } from './helpers/json-lines.js';
import { chmod, copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describeRedis } from '../queue/describe-redis.js';
import type { RedisServer } from '../helpers/redis-server.js';
import { type EmulatorOptions, textToImageWorkflow } from '../../src/emulator.js';
import { png } from './helpers/pictures.js';
import { workspace } from './helpers/workspace.js';

let names = 0;

/** A workspace whose commands have a queue. */
const setUp = async (server: RedisServer, options: EmulatorOptions = {}) => {
  const { cli, file, ...more } = await workspace(options);
  const env = { PROMPTWIRE_REDIS_URL: `redis://127.0.0.1:${server.port}` };
  const name = `cli-${(names += 1)}`;
  const queue = (...argv: readonly string[]) => cli([...argv, '--name', name], { env });
  let seed = 0;
  const workflow = (steps = 2) =>
    file(`${seed}.json`, textToImageWorkflow({ width: 64, height: 64, steps, seed: (seed += 1) }));
  /** The same where the environment names a service that is away. */
  const queueElsewhere = (...argv: readonly string[]) =>
    cli([...argv, '--name', name], { env: { ...env, PROMPTWIRE_BASE_URL: 'http://127.0.0.1:9' } });
  return { ...more, cli, file, name, queue, queueElsewhere, workflow };
};

describeRedis(
  (server) => {
    it('N1 adds no workflow above its bound, and says how to raise it', async () => {
      const { queue, workflow } = await setUp(server());
      const adding = queue('jobs', 'add', await workflow(), '--max-workflow-bytes', '20');
      expect(await adding.exit).not.toBe(0);
      expect(adding.stderr()).toContain('at most 80, four times the bound of maxWorkflowBytes');
      expect(adding.stderr()).toContain('maxWorkflowBytes is --max-workflow-bytes');
    });

    it('adds no workflow with paid nodes without a terminal, and does with --allow-paid', async () => {
      const { queue, file } = await setUp(server());
      const paid = await file('paid.json', {
        1: { class_type: 'PartnerImageNode', inputs: { prompt: 'a cat', seed: 1 } },
        2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'a' } },
      });
      const refused = queue('jobs', 'add', paid);
      expect(await refused.exit).toBe(2);
      expect(refused.stderr()).toContain('a paid node: node 1 (PartnerImageNode)');
      expect(refused.stderr()).toContain('--allow-paid');
      expect(refused.stdout()).toBe('');
      const allowed = queue('jobs', 'add', paid, '--allow-paid');
      expect(await allowed.exit).toBe(0);
      const shown = queue('jobs', 'show', allowed.stdout().trim());
      expect(await shown.exit).toBe(0);
      expect(shown.stdout()).toContain(`${allowed.stdout().trim()} submitting`);
    });

    it('adds a job for each file of a folder, by name', async () => {
      const { queue, workflow, dir } = await setUp(server());
      const batch = join(dir, 'batch');
      await mkdir(batch);
      for (const name of ['10.json', '2.json', '.hidden'])
        await copyFile(await workflow(), join(batch, name));
      const adding = queue('jobs', 'add', batch, '--delay', '60');
      expect(await adding.exit).toBe(0);
      const ids = adding.stdout().trim().split('\n');
      const listing = queue('jobs', 'list', '--json');
      expect(await listing.exit).toBe(0);
      const listed = listing.stdout().trim().split('\n');
      const order = listed.map((line) => ids.findIndex((id) => line.includes(id)));
      expect(order.filter((place) => place >= 0)).toEqual([1, 0]);
    });

    it('brings servers to a queue by a worker, and refuses a tier beside them', async () => {
      const { queue, queueElsewhere, workflow, emulator } = await setUp(server(), { dialect: 'local' });
      const both = queue('worker', '--server', emulator.baseUrl, '--tier', 'pro');
      expect(await both.exit).not.toBe(0);
      expect(both.stderr()).toContain('tier is of a queue over an account');
      const worker = queueElsewhere('worker', '--server', emulator.baseUrl);
      await worker.printed('working on');
      const adding = queue('jobs', 'add', await workflow());
      expect(await adding.exit).toBe(0);
      expect(await queue('jobs', 'follow', adding.stdout().trim()).exit).toBe(0);
      expect(emulator.ledger.jobs).toHaveLength(1);
      worker.signal('SIGTERM');
      expect(await worker.exit).toBe(0);
    });

    it('shows, pauses, resumes and drains the servers of a queue, which keeps that', async () => {
      const { queue, workflow, file, emulator } = await setUp(server(), { dialect: 'local' });
      const list = await file('servers.json', [{ baseUrl: emulator.baseUrl, name: 'attic' }]);
      const worker = queue('worker', '--servers', list);
      await worker.printed('working on');
      const servers = async (...words: readonly string[]) => {
        const asked = queue('servers', ...words, '--json');
        return { code: await asked.exit, line: jsonLines(asked.stdout())[0] };
      };
      await expect
        .poll(async () => (await servers('--once')).line, { timeout: 20_000 })
        .toMatchObject({ kind: 'servers', servers: [{ name: 'attic', health: 'up', mode: 'active' }] });
      expect(await servers('pause', 'attic')).toMatchObject({
        code: 0,
        line: { servers: [{ mode: 'paused' }] },
      });
      const adding = queue('jobs', 'add', await workflow());
      expect(await adding.exit).toBe(0);
      const id = adding.stdout().trim();
      const stats = queue('jobs', 'stats', '--json');
      expect(await stats.exit).toBe(0);
      expect(jsonLines(stats.stdout())[0]).toMatchObject({ waiting: 1 });
      expect(await servers('resume', 'attic')).toMatchObject({
        code: 0,
        line: { servers: [{ mode: 'active' }] },
      });
      expect(await queue('jobs', 'follow', id).exit).toBe(0);
      expect(await servers('drain', 'attic')).toMatchObject({
        code: 0,
        line: { servers: [{ mode: 'draining', running: 0 }] },
      });
      const unknown = await servers('pause', 'cellar');
      expect([unknown.code, unknown.line]).toMatchObject([2, { tag: 'InvalidConfig' }]);
      const table = queue('servers', '--once');
      expect(await table.exit).toBe(0);
      expect(table.stdout()).toMatch(/^SERVER +STATE.*\nattic +up, draining +0 +0 +1 +0 /u);
      worker.signal('SIGTERM');
      expect(await worker.exit).toBe(0);
    });

    it('runs a gateway over the servers of a queue, whose uploads reach the server that gets the job', async () => {
      const { queue, emulator } = await setUp(server(), { dialect: 'local' });
      const worker = queue('worker', '--server', emulator.baseUrl);
      await worker.printed('working on');
      const serving = queue('serve', '--port', '0', '--server', emulator.baseUrl);
      await serving.printed('listening on');
      const base = /listening on (http:\S+)/u.exec(serving.stdout())?.[1] ?? '';
      const sent = await fetch(`${base}/uploads?filename=a.png`, {
        method: 'POST',
        headers: { 'content-type': 'image/png' },
        body: new Blob([new Uint8Array(png(8, 8, () => [9, 9, 9]))]),
      });
      const { asset } = (await sent.json()) as { readonly asset: { readonly id: string } };
      const image = { __type: 'core/ASSET', info: { id: asset.id } };
      const answer = await fetch(`${base}/jobs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: 'wait=50', accept: 'image/*' },
        body: JSON.stringify({
          workflow: {
            1: { class_type: 'LoadImage', inputs: { image } },
            2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'copy' } },
          },
        }),
      });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
      serving.signal('SIGTERM');
      worker.signal('SIGTERM');
      expect([await serving.exit, await worker.exit]).toEqual([0, 0]);
    });

    it('adds jobs, runs them by a worker that ends with 0 at SIGTERM, and follows and lists them', async () => {
      const { queue, workflow, dir, emulator, name } = await setUp(server());
      const adding = queue('jobs', 'add', await workflow(), await workflow());
      expect(await adding.exit).toBe(0);
      const ids = adding.stdout().trim().split('\n');
      expect(ids).toHaveLength(2);
      const out = join(dir, 'out');
      const worker = queue('worker', '--tier', 'creator', '--out', out);
      await worker.printed(`working on ${name}`);
      for (const id of ids) {
        const following = queue('jobs', 'follow', id, '--json');
        expect(await following.exit).toBe(0);
        expect(jsonLines(following.stdout()).at(-2)).toMatchObject({ kind: 'job', id, phase: 'completed' });
        await expect.poll(() => readdir(join(out, id)).catch(() => []), { timeout: 10_000 }).toHaveLength(1);
      }
      const listing = queue('jobs', 'list', '--json');
      expect(await listing.exit).toBe(0);
      const [newest, , end] = jsonLines(listing.stdout());
      const promptIds = emulator.ledger.jobs.map(({ promptId }) => promptId);
      expect(newest).toMatchObject({ kind: 'job', id: ids[1], phase: 'completed' });
      expect(promptIds).toContain(newest?.['promptId']);
      expect(end).toMatchObject({ kind: 'end', code: 0 });
      worker.signal('SIGTERM');
      expect(await worker.exit).toBe(0);
      expect(worker.stdout() + worker.stderr()).not.toContain(emulator.apiKey);
    });

    it('O8: adds a job whose pictures a worker with --out takes, and refuses one that would leave files', async () => {
      const { queue, workflow, file, dir, name } = await setUp(server());
      const audio = await file('audio.json', { 1: { class_type: 'SaveAudio', inputs: {} } });
      const refused = queue('jobs', 'add', audio, '--ephemeral');
      expect(await refused.exit).toBe(2);
      expect(refused.stderr()).toContain('The node 1 (SaveAudio) writes files');
      const adding = queue('jobs', 'add', await workflow(), '--ephemeral');
      expect(await adding.exit).toBe(0);
      const id = adding.stdout().trim();
      const out = join(dir, 'out');
      const worker = queue('worker', '--out', out);
      await worker.printed(`working on ${name}`);
      expect(await queue('jobs', 'follow', id).exit).toBe(0);
      await expect.poll(() => readdir(join(out, id)).catch(() => []), { timeout: 10_000 }).toHaveLength(2);
      worker.signal('SIGTERM');
      expect(await worker.exit).toBe(0);
    });

    // Twelve steps take the emulator more than half a second: far more than 30 ms, and far less than 30 s.
    it.each([
      ['lets a job end within its --grace, which is in seconds', '30', ['completed']],
      ['hands a job over at once without any --grace', '0', []],
    ])('a worker that gets a signal %s', async (_, grace, ended) => {
      const { queue, workflow, emulator } = await setUp(server(), { speed: 1 });
      const adding = queue('jobs', 'add', await workflow(12));
      expect(await adding.exit).toBe(0);
      const worker = queue('worker', '--grace', grace);
      await expect.poll(() => emulator.ledger.jobs, { timeout: 10_000 }).toHaveLength(1);
      worker.signal('SIGTERM');
      expect(await worker.exit).toBe(0);
      const listing = queue('jobs', 'list', '--phase', 'completed', '--json');
      expect(await listing.exit).toBe(0);
      const jobs = jsonLines(listing.stdout()).filter(({ kind }) => kind === 'job');
      expect(jobs.map(({ phase }) => phase)).toEqual(ended);
    });

    it('cancels, pauses, resumes, clears and drains a queue, and says how full it is', async () => {
      const { queue, workflow } = await setUp(server());
      const add = async (...flags: readonly string[]): Promise<string> => {
        const adding = queue('jobs', 'add', await workflow(), ...flags);
        expect(await adding.exit).toBe(0);
        return adding.stdout().trim();
      };
      const [one] = [await add('--tenant', 't', '--job-key', 'k'), await add('--delay', '60')];
      expect(await add('--tenant', 't', '--job-key', 'k')).toBe(one);
      expect(await queue('jobs', 'pause', '--reason', 'maintenance').exit).toBe(0);
      const stats = queue('jobs', 'stats', '--json');
      expect(await stats.exit).toBe(0);
      expect(jsonLines(stats.stdout())[0]).toMatchObject({ waiting: 1, delayed: 1, paused: 'maintenance' });
      expect(await queue('jobs', 'cancel', one).exit).toBe(0);
      const cancelled = queue('jobs', 'follow', one);
      expect(await cancelled.exit).toBe(7);
      const clearing = queue('jobs', 'clear', '--json');
      expect(await clearing.exit).toBe(0);
      expect(jsonLines(clearing.stdout())[0]).toMatchObject({ change: 'cleared', jobs: 1 });
      expect(await queue('jobs', 'drain').exit).toBe(0);
      const late = queue('jobs', 'add', await workflow());
      expect(await late.exit).toBe(1);
      expect(late.stderr()).toContain('drains');
      expect(await queue('jobs', 'resume').exit).toBe(0);
      await add();
    });

    it('M10: says of a job that is over that it was, with 16, and asks for the end of the others', async () => {
      const { queue, workflow } = await setUp(server());
      const adding = queue('jobs', 'add', await workflow(), await workflow());
      expect(await adding.exit).toBe(0);
      const [first = '', second = ''] = adding.stdout().trim().split('\n');
      expect(await queue('jobs', 'cancel', first).exit).toBe(0);
      const cancelling = queue('jobs', 'cancel', first, 'unheard-of', second, '--json');
      expect(await cancelling.exit).toBe(16);
      expect(jsonLines(cancelling.stdout())).toMatchObject([
        { kind: 'over', promptId: first, phase: 'cancelled' },
        { kind: 'error', tag: 'NotFound' },
        { kind: 'cancelRequested', promptId: second },
        { kind: 'end', exit: 'over', code: 16 },
      ]);
      expect(await queue('jobs', 'cancel', 'unheard-of', second).exit).toBe(9);
    });

    it('serves jobs by two gateways and a worker', async () => {
      const { cli, queue, file, emulator } = await setUp(server());
      const tokens = await file('tokens', 'web:token-of-the-web-app');
      await chmod(tokens, 0o600);
      const serve = async (): Promise<string> => {
        const running = queue('serve', '--port', '0', '--tokens-file', tokens);
        onTestFinished(async () => {
          running.signal('SIGTERM');
          expect(await running.exit).toBe(0);
        });
        await running.printed('listening on');
        return /listening on (http:\S+)/u.exec(running.stdout())?.[1] ?? '';
      };
      const [one, two] = [await serve(), await serve()];
      const headers = { authorization: 'Bearer token-of-the-web-app', 'content-type': 'application/json' };
      const body = JSON.stringify({ workflow: textToImageWorkflow({ width: 64, height: 64, steps: 2 }) });
      const answer = await fetch(`${one}/api/v2/jobs`, { method: 'POST', headers, body });
      const { id } = (await answer.json()) as { readonly id: string };
      const reading = fetch(`${two}/jobs/${id}/events`, { headers }).then((stream) => stream.text());
      const worker = queue('worker');
      expect(await reading).toContain('completed');
      worker.signal('SIGTERM');
      expect(await worker.exit).toBe(0);
      expect(emulator.ledger.jobs).toHaveLength(1);
      const both = cli(['serve', '--data', 'here', '--redis', 'redis://127.0.0.1:1']);
      expect(await both.exit).toBe(2);
    });

    it('names what is wrong with its arguments, the job or the server', async () => {
      const { cli, queue, workflow } = await setUp(server());
      const missing = queue('jobs', 'follow', 'unheard-of');
      expect(await missing.exit).toBe(9);
      expect(await queue('jobs', 'add').exit).toBe(2);
      expect(await queue('jobs', 'list', '--phase', 'lost').exit).toBe(2);
      const nowhere = cli(['jobs', 'stats']);
      expect(await nowhere.exit).toBe(2);
      expect(nowhere.stderr()).toContain('PROMPTWIRE_REDIS_URL');
      const redis = 'redis://:hidden-password@127.0.0.1:1';
      const away = cli(['jobs', 'add', await workflow(), '--redis', redis]);
      expect(await away.exit).toBe(12);
      expect(away.stderr()).toContain('127.0.0.1:1');
      expect(away.stderr()).not.toContain('hidden-password');
    });
  },
  { isDurable: true },
);
