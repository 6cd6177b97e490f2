import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../src/emulator/index.js';
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
  'server-sent-events.ts': /^event: state\ndata: \{"phase":"completed","progress":1,"files":2\}$/m,
};

const recipes = readdirSync(folder).filter((name) => name !== 'service.ts' && name !== 'visitor.ts');

/** Starts a recipe as a server of its own, over a service, and resolves with its address once it listens. */
const serve = async (
  name: string,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
) => {
  const server = spawn(process.execPath, [await bundledFile(join(folder, name))], {
    env: { ...process.env, PROMPTWIRE_BASE_URL: baseUrl, PROMPTWIRE_API_KEY: apiKey, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void server.kill());
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  return /http:\S+/u.exec(line.toString())![0];
};

describe('recipes', () => {
  it('server-sent-events.ts pays once for a page whose stream is cut', { timeout: 120_000 }, async () => {
    await using emulator = await startEmulator({ speed: 2 });
    const base = await serve('server-sent-events.ts', emulator);
    const submitted = await fetch(`${base}/jobs?prompt=a%20pier`, { method: 'POST' });
    const { id } = (await submitted.json()) as { readonly id: string };

    const cut = new AbortController();
    const first = await fetch(`${base}/jobs/${id}`, { signal: cut.signal });
    await first.body!.getReader().read();
    cut.abort();
    const second = await fetch(`${base}/jobs/${id}`);

    expect(await second.text()).toContain('"phase":"completed"');
    const submissions = emulator.requests.filter(
      ({ method, url }) => method === 'POST' && url === '/api/prompt',
    );
    expect(submissions).toHaveLength(1);
    expect((await fetch(`${base}/jobs`)).status).toBe(404);
  });

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
});
