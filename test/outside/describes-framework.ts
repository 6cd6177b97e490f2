import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Consumer, consumer, linkFolder } from '../helpers/consumer.js';
import { freePort } from '../helpers/redis-server.js';
import { startEmulator, textToImageWorkflow } from '../../src/emulator.js';

const recipes = join(import.meta.dirname, '..', '..', 'docs', 'recipes');
const authorization = 'Bearer the-token-of-a-test';

/** How an app of a framework is made of a recipe. */
export interface Framework {
  /** Where its packages are. */
  readonly packages: string;
  readonly recipe: string;
  /** The file of the app that the recipe is. */
  readonly place: string;
  /** Other files of the app. */
  readonly files?: Readonly<Record<string, string>>;
  /** The arguments of Node.js that build it, and that start it on a port. */
  readonly build: readonly string[];
  readonly start: (port: number) => readonly string[];
}

/** Describes how an app answers that is built of the recipe for a gateway, as its users build and start it. */
export const describesFramework = ({
  packages,
  recipe,
  place,
  files = {},
  build,
  start,
}: Framework): void => {
  let app: Consumer;
  beforeAll(async () => {
    app = await consumer();
    const own = join(app.folder, 'node_modules');
    // The package and what it needs are there already.
    for (const name of await readdir(packages)) {
      if (name.startsWith('.') || existsSync(join(own, name))) continue;
      await linkFolder(join(packages, name), join(own, name));
    }
    await mkdir(dirname(join(app.folder, place)), { recursive: true });
    await copyFile(join(recipes, recipe), join(app.folder, place));
    for (const [name, text] of Object.entries(files)) await writeFile(join(app.folder, name), text);
    // No secret and no address is there yet.
    await promisify(execFile)(process.execPath, build, { cwd: app.folder, env: envOf() });
  }, 300_000);
  afterAll(() => app[Symbol.asyncDispose]());

  const envOf = (more: Readonly<Record<string, string>> = {}) => ({
    ...{ PATH: process.env['PATH'], HOME: app.folder, NEXT_TELEMETRY_DISABLED: '1', NO_COLOR: '1' },
    ...more,
  });

  const serve = async (more: Readonly<Record<string, string>> = {}) => {
    const emulator = await startEmulator({ speed: 1 });
    onTestFinished(() => emulator.close());
    const port = await freePort();
    const given = { SERVICE_URL: emulator.baseUrl, SERVICE_KEY: emulator.apiKey, PORT: String(port) };
    const child = spawn(process.execPath, start(port), {
      cwd: app.folder,
      env: envOf({ ...given, GATEWAY_TOKEN: 'the-token-of-a-test', HOST: '127.0.0.1', ...more }),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    const base = `http://127.0.0.1:${port}/comfy`;
    await expect.poll(() => statusOf(`${base}/healthz`)).toBe(200);
    return { base, port, child, complaints: () => complaints, exited: once(child, 'close') };
  };

  const submit = async (base: string) => {
    const answer = await fetch(`${base}/api/v2/jobs`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ workflow: textToImageWorkflow({ width: 64, height: 64, steps: 3 }) }),
    });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { readonly id: string }).id;
  };

  /** The links of a job that has ended, as these visitors get them. */
  const linksOf = async (base: string, id: string, headers: Readonly<Record<string, string>> = {}) => {
    const events = await fetch(`${base}/jobs/${id}/events`, { headers: { authorization } });
    expect(await events.text()).toContain('"phase":"completed"');
    const job = await fetch(`${base}/api/v2/jobs/${id}`, { headers: { authorization, ...headers } });
    const links = [...(await job.text()).matchAll(/"(https?:\/\/[^"]+)"/gu)].map(([, link = '']) => link);
    expect(links).not.toEqual([]);
    return links;
  };

  it('T10 is built without its variables, runs a job, and ends at SIGTERM with its readers', async () => {
    const { base, child, exited } = await serve();
    for (const link of await linksOf(base, await submit(base))) {
      expect(link).toContain(`${base}/`);
      expect(await statusOf(link, { authorization })).toBe(200);
    }
    expect(await statusOf(`${base}/jobs`)).toBe(401);
    const all = await fetch(`${base}/events`, { headers: { authorization } });
    await endOf(child, exited);
    expect(await all.text()).toContain('event: reconnect');
  });

  it('T10 gives links of the origin that it was given, whatever a visitor says of it', async () => {
    const { base } = await serve({ APP_ORIGIN: 'https://app.example' });
    const forged = { 'x-forwarded-host': 'other.example', 'x-forwarded-proto': 'http' };
    for (const link of await linksOf(base, await submit(base), forged))
      expect(link).toContain('https://app.example/comfy/');
  });

  it('T2 T3 prints nothing where a reader leaves its stream, or a visitor breaks off a body', async () => {
    const { base, port, child, complaints, exited } = await serve();
    const leaving = new AbortController();
    const stream = await fetch(`${base}/events`, { headers: { authorization }, signal: leaving.signal });
    await stream.body!.getReader().read();
    leaving.abort();
    const socket = connect(port, '127.0.0.1');
    const head = `POST /comfy/api/v2/jobs HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Length: 1000\r\n`;
    await new Promise<void>((resolve) => socket.write(`${head}\r\n{"workflow":`, () => resolve()));
    socket.destroy();
    await submit(base);
    await endOf(child, exited);
    expect(complaints()).toBe('');
  });
};

const statusOf = (address: string, headers: Readonly<Record<string, string>> = {}): Promise<number> =>
  fetch(address, { headers }).then(
    ({ status }) => status,
    () => 0,
  );

const endOf = async (child: ChildProcess, exited: Promise<unknown>): Promise<void> => {
  child.kill('SIGTERM');
  await exited;
};
