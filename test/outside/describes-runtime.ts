import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../src/emulator.js';
import { certificatePath, tlsServer } from '../helpers/tls-server.js';
import { httpServer } from '../helpers/http-server.js';
import { callersOf, proxyServer } from '../helpers/proxy-server.js';
import { type Consumer, consumer } from '../helpers/consumer.js';

const programs = join(import.meta.dirname, 'programs');
/** What Deno prints once in each process that listens to the signal of a request, once such a request has been answered whole. */
const denoNotice = /^Deno\.serve: request\.signal aborts on successful responses .*\n/mu;
const recipes = join(import.meta.dirname, '..', '..', 'docs', 'recipes');

/**
 * Describes how programs run that use the package, by a runtime and the arguments that go before a program's name; `recipe` is the
 * recipe of a gateway for it.
 */
export const describesRuntime = (runtime: string, recipe: string, ...args: readonly string[]): void => {
  let project: Consumer;
  beforeAll(async () => {
    project = await consumer();
    await cp(programs, project.folder, { recursive: true });
    await cp(join(recipes, recipe), join(project.folder, recipe));
  });
  afterAll(() => project[Symbol.asyncDispose]());

  /** What a program writes until it ends by itself, with exit code 0. */
  const run = (
    [...program]: readonly string[],
    service: {
      readonly baseUrl?: string;
      readonly apiKey?: string;
      readonly proxy?: string;
      /** More variables. */
      readonly environment?: Readonly<Record<string, string>>;
    } = {},
  ) =>
    promisify(execFile)(runtime, [...args, ...program], {
      cwd: project.folder,
      env: {
        ...{ PATH: process.env['PATH'], HOME: project.folder, NO_COLOR: '1' },
        ...{ SERVICE_URL: service.baseUrl, SERVICE_KEY: service.apiKey, PROXY_URL: service.proxy },
        ...{ NODE_EXTRA_CA_CERTS: certificatePath, DENO_CERT: certificatePath },
        ...service.environment,
      },
      timeout: 100_000,
    });

  /** What a program writes that has nothing to complain of. */
  const outputOf = async (program: string, service: Parameters<typeof run>[1]): Promise<string> => {
    const { stdout, stderr } = await run([program], service);
    expect(stderr).toBe('');
    return stdout.trim();
  };

  const emulatorWith = async (options?: EmulatorOptions): Promise<Emulator> => {
    const emulator = await startEmulator(options);
    onTestFinished(() => emulator.close());
    return emulator;
  };

  const kept = /^1 job, 1 event$/u;
  const whole = {
    uploads: ['string', 'string'],
    files: [
      [true, 'PNG'],
      [true, 'PNG'],
    ],
  };

  it('K5: keeps jobs in a folder, or says what else keeps them where native code may not run', async () => {
    const refused = /^InvalidConfig .*npm install classic-level@3.*redisPorts/u;
    expect(await outputOf('folder.ts', {})).toMatch(args.length === 0 ? kept : refused);
    if (args.length > 0) expect((await run(['--allow-ffi', 'folder.ts'])).stdout.trim()).toMatch(kept);
  });

  it('uploads, follows a job by for await, takes its previews, saves its files, and ends with its client', async () => {
    const emulator = await emulatorWith({ speed: 5 });

    const seen: unknown = JSON.parse(await outputOf('whole-job.ts', emulator));

    expect(seen).toEqual({ ...whole, phases: ['pending', 'in_progress', 'completed'], previews: 6 });
    expect(emulator.openSockets).toBe(0);
    expect(emulator.ledger.sockets).toHaveLength(1);
    expect(emulator.ledger.jobs.map(({ state }) => state)).toEqual(['completed']);
    const toStorage = emulator.requests.filter(({ origin }) => origin === 'storage');
    expect(toStorage).toHaveLength(2);
    expect(JSON.stringify(toStorage)).not.toContain(emulator.apiKey);
  });

  it('opens a socket that is refused again, goes on with a job whose socket is cut, and submits it once', async () => {
    const emulator = await emulatorWith({
      // The job outlasts the pause after the refusal, so that the second socket is there to be cut.
      speed: 0.2,
      faults: [
        { on: 'socket', do: 'refuse', status: 503 },
        { on: 'socket', do: 'cut', nth: 2, after: { messages: 2 } },
      ],
    });

    const seen = JSON.parse(await outputOf('whole-job.ts', emulator)) as { readonly phases: unknown };

    expect(seen).toMatchObject(whole);
    expect(seen.phases).toContain('completed');
    expect(emulator.ledger.faults).toHaveLength(2);
    expect(emulator.ledger.jobs).toHaveLength(1);
  });

  it('tries again where a download is cut', async () => {
    const emulator = await emulatorWith({
      speed: 5,
      faults: [{ on: 'storage', do: 'cut', phase: 'body', bytes: 1000 }],
    });
    expect(JSON.parse(await outputOf('whole-job.ts', emulator))).toMatchObject(whole);
    expect(emulator.ledger.faults).toHaveLength(1);
  });

  it('never submits again what may have been accepted', async () => {
    const emulator = await emulatorWith({ speed: Infinity });
    emulator.answerOnce('POST', '/api/prompt', { status: 200, afterCommit: true, cut: true });
    expect(await outputOf('submits.ts', emulator)).toBe('OutcomeUnknown');
    expect(emulator.ledger.jobs).toHaveLength(1);
  });

  it('knows that nothing was submitted where nothing listens', async () => {
    const { origin, [Symbol.asyncDispose]: end } = await httpServer(() => undefined);
    await end();
    expect(await outputOf('submits.ts', { baseUrl: origin, apiKey: 'comfyui-none' })).toBe('Network');
  });

  it('says that the key is refused', async () => {
    const { baseUrl } = await emulatorWith();
    expect(await outputOf('submits.ts', { baseUrl, apiKey: 'comfyui-wrong' })).toBe('Unauthorized');
  });

  it('takes address, key and dialect of the environment, and the key of a file as well', async () => {
    const { baseUrl, apiKey } = await emulatorWith({ speed: Infinity });
    const engine = await emulatorWith({ dialect: 'local', speed: Infinity });
    const file = join(project.folder, 'key');
    await writeFile(file, `${apiKey}\n`, { mode: 0o600 });
    const phaseWith = (environment: Readonly<Record<string, string>>) =>
      outputOf('environment.ts', { environment });

    expect(
      await Promise.all([
        phaseWith({ PROMPTWIRE_BASE_URL: baseUrl, PROMPTWIRE_API_KEY: apiKey }),
        phaseWith({ PROMPTWIRE_BASE_URL: baseUrl, PROMPTWIRE_API_KEY_FILE: file }),
        phaseWith({ PROMPTWIRE_BASE_URL: engine.baseUrl, PROMPTWIRE_DIALECT: 'local' }),
      ]),
    ).toEqual(['completed', 'completed', 'completed']);
  });

  it('ends by itself after its job without close()', async () => {
    expect(await outputOf('lingers.ts', await emulatorWith({ speed: Infinity }))).toBe('completed');
  });

  it('reaches a service over TLS by a proxy with a password, calls and socket', async () => {
    await using proxy = await proxyServer('user:pass');
    await using service = await tlsServer((socket) => socket.send('{"type":"status","data":{}}'));
    const callers = callersOf(service.url);
    const url = `http://user:pass@127.0.0.1:${proxy.port}`;
    expect(await outputOf('proxied.ts', { baseUrl: service.url, proxy: url })).toBe('Right Event');
    expect(proxy.asked[0]).toMatchObject({ method: 'CONNECT', target: new URL(service.url).host });
    expect(callers.size).toBe(proxy.asked.length);
    expect([...callers].filter((port) => !proxy.ownPorts.has(port))).toEqual([]);
  });

  it('serves a gateway, as the recipe does, prints nothing where a reader leaves, and ends on SIGTERM', async () => {
    const { baseUrl, apiKey } = await emulatorWith({ speed: Infinity });
    const server = spawn(runtime, [...args, recipe], {
      cwd: project.folder,
      env: {
        ...{ PATH: process.env['PATH'], HOME: project.folder, NO_COLOR: '1', PORT: '0' },
        ...{ SERVICE_URL: baseUrl, SERVICE_KEY: apiKey, GATEWAY_TOKEN: 'the-token-of-a-test' },
      },
    });
    onTestFinished(() => void server.kill('SIGKILL'));
    let complaints = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string];
    const address = line.replace('listening on ', '').trim();
    const authorization = 'Bearer the-token-of-a-test';

    const submitted = await fetch(`${address}/api/v2/jobs`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ workflow: { 1: { class_type: 'SlowNode', inputs: { steps: 1 } } } }),
    });
    expect(submitted.status).toBe(201);
    const { id } = (await submitted.json()) as { readonly id: string };
    const events = await fetch(`${address}/jobs/${id}/events`, { headers: { authorization } });
    expect(await events.text()).toContain('"phase":"completed"');
    expect((await fetch(`${address}/jobs`)).status).toBe(401);

    const leaving = new AbortController();
    const stream = await fetch(`${address}/events`, { headers: { authorization }, signal: leaving.signal });
    await stream.body!.getReader().read();
    leaving.abort();
    // Another call, so that the gateway gets to see that the reader has left.
    expect((await fetch(`${address}/jobs`, { headers: { authorization } })).status).toBe(200);

    server.kill('SIGTERM');
    await once(server, 'close');
    expect(complaints.replace(denoNotice, '')).toBe('');
  });

  it('runs the command, and the emulator with it', async () => {
    const out = await mkdtemp(join(tmpdir(), 'demo-'));
    onTestFinished(() => rm(out, { recursive: true, force: true }));
    const command = join(project.folder, 'node_modules', 'promptwire', 'dist', 'cli', 'main.js');

    const { stderr } = await run([command, 'demo', '--out', out]);

    expect(stderr).toContain('Completed');
    expect((await readdir(out)).some((name) => name.endsWith('.png'))).toBe(true);
  });
};
