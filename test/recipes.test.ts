import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createClient } from '../src/node.js';
import { startEmulator, textToImageWorkflow } from '../src/emulator/index.js';
import { bundledFile } from './helpers/bundle-program.js';

const folder = join(import.meta.dirname, '..', 'docs', 'recipes');
const gatewayWords = /^event: status\ndata: \{"status":"succeeded"/m;
const lastWords: Readonly<Record<string, RegExp>> = {
  'follow-later.ts': /^completed \[ '9', '10' \]$/m,
  'for-await.ts': /^completed 100 %\n.*\.png \(\d+ bytes\)$/m,
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
    const recipe = await bundledFile(join(folder, 'gateway-next.mjs'));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', visitNext, recipe],
      { env },
    );
    expect(stdout).toBe('200 401\n200\n');
  });

  it.each(['react.tsx', 'vue.vue', 'svelte.svelte', 'angular.ts'])(
    'page/%s and its server have 50 lines of code at most',
    (name) => {
      const lines = [name, 'server.ts'].flatMap((file) =>
        readFileSync(join(folder, 'page', file), 'utf8').split('\n'),
      );
      expect(lines.filter((line) => !/^\s*(?:\/\/.*)?$/u.test(line)).length).toBeLessThanOrEqual(50);
    },
  );

  it('are all known here', () => {
    expect(recipes.toSorted()).toEqual(Object.keys(lastWords));
  });

  it.each(recipes)('%s runs against the emulator and ends by itself', { timeout: 120_000 }, async (name) => {
    const env = { ...process.env, PROMPTWIRE_BASE_URL: undefined, PORT: undefined };
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--unhandled-rejections=strict', await bundledFile(join(folder, name))],
      { env },
    );
    expect(stderr).toBe('');
    expect(stdout).toMatch(lastWords[name]!);
  });

  it('R1: reactive-pipeline.ts shows the previews of its own jobs', { timeout: 120_000 }, async () => {
    await using emulator = await startEmulator({ concurrency: 5, speed: 2 });
    const { baseUrl, apiKey } = emulator;
    const client = createClient(emulator);
    const foreign = client.run(textToImageWorkflow({ steps: 400 })).subscribe();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [await bundledFile(join(folder, 'reactive-pipeline.ts'))],
      { env: { ...process.env, PROMPTWIRE_BASE_URL: baseUrl, PROMPTWIRE_API_KEY: apiKey } },
    );
    foreign.unsubscribe();
    await client.close();
    const [{ promptId } = { promptId: '' }] = emulator.ledger.jobs;
    expect(stdout).toMatch(/^preview of [\w-]+: image/mu);
    expect(stdout).not.toContain(`preview of ${promptId}`);
  });

  it.each(['react.tsx', 'vue.vue', 'svelte.svelte', 'angular.ts'])(
    'R1: page/%s leaves no error without words',
    (name) => {
      const page = readFileSync(join(folder, 'page', name), 'utf8');
      expect(page).toMatch(/role="alert"/u);
      const calls = page.split('\n').filter((line) => /\.subscribe\(|remote\.cancel\(/u.test(line));
      expect(calls.length).toBeGreaterThan(1);
      for (const call of calls) expect(call).toMatch(/error: (?:this\.)?tell|\.catch\((?:this\.)?tell\)/u);
    },
  );
});
