import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from 'esbuild';
import { createClient } from '../src/node.js';
import { startEmulator, textToImageWorkflow } from '../src/emulator.js';
import { bundledFile } from './helpers/bundle-program.js';
import { jsonLines } from './cli/helpers/json-lines.js';
import { startCli } from './cli/helpers/start-cli.js';

const folder = join(import.meta.dirname, '..', 'docs', 'recipes');
const gatewayWords = /^event: status\ndata: \{"status":"succeeded"/m;
const lastWords: Readonly<Record<string, RegExp>> = {
  'follow-later.ts': /^completed \[ '9', '10' \]$/m,
  'for-await.ts': /^completed 100 %\n.*\.png \(\d+ bytes\)$/m,
  'four-engines.ts': /^24 of 24 jobs are completed, on 4 engines$/m,
  'gateway-express.ts': gatewayWords,
  'gateway-fastify.ts': gatewayWords,
  'gateway-hono.ts': gatewayWords,
  'gateway-node-http.ts': gatewayWords,
  'many-jobs.ts': /^12 jobs$/m,
  'reactive-pipeline.ts': /^done: \[\n\s+'[0-9a-f]{64}\.png'/m,
  'webhook-receiver.ts': /^a request without a signature is answered by 400$/m,
};

const recipes = readdirSync(folder).filter(
  (name) => name.endsWith('.ts') && name !== 'service.ts' && name !== 'visitor.ts',
);

const root = join(import.meta.dirname, '..');
const runner = join(import.meta.dirname, 'docs', 'run-examples.mjs');

/** Makes a folder with an `example.mjs` of each recipe, all of which share what they import. */
const bundleTogether = (outdir: string) =>
  build({
    entryPoints: recipes.map((name) => ({ in: join(folder, name), out: join(name, 'example') })),
    ...{ bundle: true, splitting: true, outdir, outExtension: { '.js': '.mjs' } },
    ...{ platform: 'node', format: 'esm', target: 'node20', packages: 'external' },
    ...{ logLevel: 'silent', absWorkingDir: root },
  });

/** What `gateway-next.mjs` is for Next: a module of handlers. */
const visitNext = `
  const { GET, POST } = await import(process.argv[1]);
  const at = 'http://127.0.0.1/comfy';
  const authorization = 'Bearer the-token-of-a-test';
  console.log((await GET(new Request(at + '/healthz'))).status, (await POST(new Request(at + '/api/v2/jobs'))).status);
  console.log((await GET(new Request(at + '/jobs', { headers: { authorization } }))).status);
  process.exit();
`;

describe('recipes', () => {
  it('gateway-next.mjs answers as a route of Next', async () => {
    const env = {
      ...{ PATH: process.env['PATH'], GATEWAY_TOKEN: 'the-token-of-a-test' },
      ...{ SERVICE_URL: 'http://127.0.0.1:1', SERVICE_KEY: 'comfyui-a' },
    };
    const recipe = await bundledFile(join(folder, 'gateway-next.mjs'), { withPackages: true });
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', visitNext, recipe],
      { env },
    );
    expect(stdout).toBe('200 401\n200\n');
  });

  it.each(['react.tsx', 'vue.vue', 'svelte.svelte', 'angular.ts'])(
    'page/%s and its server with its sessions have 75 lines of code at most',
    (name) => {
      const lines = [name, 'server.ts'].flatMap((file) =>
        readFileSync(join(folder, 'page', file), 'utf8').split('\n'),
      );
      expect(lines.filter((line) => !/^\s*(?:\/\/.*)?$/u.test(line)).length).toBeLessThanOrEqual(75);
    },
  );

  it('are all known here', () => {
    expect(recipes.toSorted()).toEqual(Object.keys(lastWords));
  });

  describe('in one process, one after the other', () => {
    let programs: string;
    let written: Readonly<Record<string, { readonly stdout: string; readonly stderr: string }>>;
    beforeAll(async () => {
      programs = await mkdtemp(join(root, 'temp', 'recipes-'));
      await bundleTogether(programs);
      const env = { ...process.env, PROMPTWIRE_BASE_URL: undefined, PORT: undefined };
      const args = ['--unhandled-rejections=strict', runner, ...recipes.map((name) => join(programs, name))];
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        env,
        maxBuffer: 64 * 1024 * 1024,
      });
      written = JSON.parse(stdout) as typeof written;
    }, 120_000);
    afterAll(() => rm(programs, { recursive: true, force: true }));

    it.each(recipes)('%s runs against the emulator and ends by itself', (name) => {
      const { stdout, stderr } = written[join(programs, name)]!;
      expect(stderr).toBe('');
      expect(stdout).toMatch(lastWords[name]!);
    });
  });

  it('R1: reactive-pipeline.ts shows the previews of its own jobs', { timeout: 120_000 }, async () => {
    await using emulator = await startEmulator({ concurrency: 5, speed: 2 });
    const { baseUrl, apiKey } = emulator;
    const client = createClient(emulator);
    const foreign = client.run(textToImageWorkflow({ steps: 400, width: 64, height: 64 })).subscribe();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [await bundledFile(join(folder, 'reactive-pipeline.ts'), { withPackages: true })],
      { env: { ...process.env, PROMPTWIRE_BASE_URL: baseUrl, PROMPTWIRE_API_KEY: apiKey } },
    );
    foreign.unsubscribe();
    await client.close();
    const [{ promptId } = { promptId: '' }] = emulator.ledger.jobs;
    expect(stdout).toMatch(/^preview of [\w-]+: image/mu);
    expect(stdout).not.toContain(`preview of ${promptId}`);
  });

  it('four-engines.ts runs over the engines of the command', { timeout: 120_000 }, async () => {
    const argv = ['emulate', '--json', '--dialect', 'local', '--engines', '4', '--speed', 'Infinity'];
    const emulate = startCli(argv);
    await emulate.printed('\n');
    const urls = jsonLines(emulate.stdout())[0]?.['baseUrls'] as readonly string[];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [await bundledFile(join(folder, 'four-engines.ts'), { withPackages: true })],
      { env: { ...process.env, SERVERS: urls.join(' ') } },
    );
    expect(stdout).toMatch(lastWords['four-engines.ts']!);
    const records = await Promise.all(
      urls.map(async (url) => (await fetch(`${url}/history`)).json() as Promise<object>),
    );
    expect(records.map((record) => Object.keys(record).length).reduce((a, b) => a + b)).toBe(24);
    emulate.signal('SIGINT');
    expect(await emulate.exit).toBe(0);
  });

  it.each(['vue.vue', 'svelte.svelte', 'angular.ts'])('R1: page/%s leaves no error without words', (name) => {
    const page = readFileSync(join(folder, 'page', name), 'utf8');
    expect(page).toMatch(/role="alert"/u);
    const calls = page.split('\n').filter((line) => /\.subscribe\(|remote\.cancel\(/u.test(line));
    expect(calls.length).toBeGreaterThan(1);
    for (const call of calls) expect(call).toMatch(/error: (?:this\.)?tell|\.catch\((?:this\.)?tell\)/u);
    expect(page).toMatch(/watch\(\w+\).*catchError\(|catchError\(\(error: Error\) => \(tell\(error\)/u);
  });

  it('R1: page/react.tsx leaves no error without words', () => {
    const page = readFileSync(join(folder, 'page', 'react.tsx'), 'utf8');
    expect(page).toMatch(/<p role="alert">\{problem\?\.message \?\? state\?\.failure\?\.exceptionMessage\}/u);
    const shown = /const problem = (.*);/u.exec(page)?.[1]?.split(' ?? ');
    expect(shown).toEqual(['run.error', 'job.error', 'unlisted']);
    expect(page).not.toMatch(/\.subscribe\(|remote\.cancel\(/u);
  });
});
