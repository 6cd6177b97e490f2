import { ClassicLevel } from 'classic-level';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jsonLines } from './helpers/json-lines.js';
import { filePorts } from '../../src/gateway-node.js';
import { join } from 'node:path';
import { once } from 'node:events';
import type { RunningCli } from './helpers/start-cli.js';
import { textToImageWorkflow } from '../../src/emulator.js';
import { httpServer } from '../helpers/http-server.js';
import { workspace } from './helpers/workspace.js';

const tokens = 'web:token-of-the-web-app,batch:token-of-the-batches';
const asWeb = { authorization: 'Bearer token-of-the-web-app' };

const serving = async (running: RunningCli): Promise<string> => {
  onTestFinished(async () => {
    running.signal('SIGTERM');
    await running.exit;
  });
  await running.printed('listening on');
  return /listening on (http:\S+)/u.exec(running.stdout())?.[1] ?? '';
};

const submit = (base: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${base}/api/v2/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ workflow: textToImageWorkflow({ steps: 2, width: 64, height: 64 }) }),
  });

/** What a raw request is answered: `fetch` sends no `Host` of its own. */
const raw = async (base: string, head: readonly string[]): Promise<string> => {
  const { hostname, port } = new URL(base);
  const socket: Socket = connect(Number(port), hostname);
  socket.write([...head, 'Connection: close', '', ''].join('\r\n'));
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
  await once(socket, 'close');
  return text;
};

describe('promptwire serve', () => {
  it('runs the jobs of callers with a token, and says so in a log without secrets', async () => {
    const { cli, emulator } = await workspace();
    const running = cli(['serve', '--port', '0'], { env: { PROMPTWIRE_GATEWAY_TOKENS: tokens } });
    const base = await serving(running);
    expect((await submit(base)).status).toBe(401);
    const answer = await submit(base, asWeb);
    expect(answer.status).toBe(201);
    const { id } = (await answer.json()) as { readonly id: string };
    const events = await fetch(`${base}/api/v2/jobs/${id}/events`, { headers: asWeb });
    expect(await events.text()).toContain('"status":"succeeded"');
    const foreign = { authorization: 'Bearer token-of-the-batches' };
    expect((await fetch(`${base}/api/v2/jobs/${id}`, { headers: foreign })).status).toBe(404);
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    expect((await fetch(`${base}/readyz`)).status).toBe(200);

    expect(running.stderr()).toMatch(/^POST \/api\/v2\/jobs 401 \d+ ms -$/mu);
    expect(running.stderr()).toMatch(/^POST \/api\/v2\/jobs 201 \d+ ms web$/mu);
    // A caller may put a token where a log has it.
    await fetch(`${base}/jobs/token-of-the-batches`, { headers: asWeb });
    await running.printed('GET /jobs/');
    for (const secret of ['token-of', emulator.apiKey]) {
      expect(running.stderr() + running.stdout()).not.toContain(secret);
    }
  });

  it('without tokens serves pages and programs of this machine only', async () => {
    const { cli, emulator } = await workspace();
    const base = await serving(cli(['serve', '--port', '0', '--allow-origin', 'http://localhost:3000']));
    expect(base).toMatch(/^http:\/\/127\.0\.0\.1:/u);
    const { host } = new URL(base);
    expect(await raw(base, ['GET /jobs HTTP/1.1', 'Host: evil.example'])).toMatch(/^HTTP\/1\.1 403 /u);
    expect(await raw(base, ['GET /jobs HTTP/1.1', `Host: ${host}`])).toMatch(/^HTTP\/1\.1 200 /u);
    expect((await submit(base, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await submit(base, { 'content-type': 'text/plain' })).status).toBe(415);
    expect(emulator.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    const allowed = await submit(base, { origin: 'http://localhost:3000' });
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([
      201,
      'http://localhost:3000',
    ]);
  });

  it.each([
    [['--host', '0.0.0.0'], {}, 'without tokens'],
    [['--host', '::'], {}, 'without tokens'],
    [['--allow-origin', 'app.example/path'], {}, '--allow-origin'],
    [[], { PROMPTWIRE_GATEWAY_TOKENS: 'no-name' }, 'entry 1 of PROMPTWIRE_GATEWAY_TOKENS'],
    [[], { PROMPTWIRE_GATEWAY_TOKENS: 'web:short' }, 'can be guessed'],
    [[], { PROMPTWIRE_GATEWAY_TOKENS: 'a:0123456789abcdef,b:0123456789abcdef' }, 'token of another caller'],
    [['--tokens-file', '/nowhere/tokens'], {}, 'there is no such file'],
    [['--template', 'portrait'], {}, 'name=file'],
    [['--webhooks', '--webhook-host', 'http://10.0.0.5'], {}, 'allowHosts is --webhook-host'],
  ] as const)('exits with 2 for %j and %j', async (argv, env, text) => {
    const { cli } = await workspace();
    const running = cli(['serve', '--port', '0', ...argv], { env });
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain(text);
    expect(running.stderr()).not.toContain('0123456789abcdef');
  });

  it('reads tokens and templates from files', async () => {
    const { cli, file } = await workspace();
    const tokensFile = await file('tokens', '# callers\nweb:token-of-the-web-app\n');
    const portrait = await file('portrait.json', {
      workflow: textToImageWorkflow({ steps: 2, width: 64, height: 64 }),
      inputs: { steps: { class: 'KSampler', input: 'steps' } },
    });
    const argv = ['serve', '--port', '0', '--tokens-file', tokensFile, '--template', `portrait=${portrait}`];
    const base = await serving(cli(argv));
    const run = (inputs: object): Promise<Response> =>
      fetch(`${base}/templates/portrait`, {
        method: 'POST',
        headers: { ...asWeb, 'content-type': 'application/json' },
        body: JSON.stringify({ inputs }),
      });
    expect((await run({ steps: 'many' })).status).toBe(422);
    expect((await run({ steps: 3 })).status).toBe(201);
  });

  it('with --json prints its address and its requests as JSON', async () => {
    const { cli } = await workspace();
    const running = cli(['serve', '--port', '0', '--json']);
    await running.printed('\n');
    const [line] = jsonLines(running.stdout());
    const baseUrl = String(line?.['baseUrl']);
    expect(line).toEqual({ kind: 'gateway', baseUrl });
    await fetch(`${baseUrl}/jobs?limit=1`);
    await running.printed('"request"');
    const [, entry] = jsonLines(running.stdout());
    expect(entry).toMatchObject({
      kind: 'request',
      method: 'GET',
      path: '/jobs',
      status: 200,
      caller: 'local',
    });
    running.signal('SIGTERM');
    expect(await running.exit).toBe(0);
  });

  it('tells streams to come back at SIGTERM, and exits', async () => {
    const { cli } = await workspace({ speed: 0.2 });
    const running = cli(['serve', '--port', '0']);
    await running.printed('listening on');
    const base = /http:\S+/u.exec(running.stdout())?.[0] ?? '';
    expect((await submit(base)).status).toBe(201);
    const events = await fetch(`${base}/events`);
    running.signal('SIGTERM');
    expect(await events.text()).toContain('event: reconnect');
    expect(await running.exit).toBe(0);
  });

  it('goes on with the jobs of its folder after a restart', async () => {
    const { cli, dir } = await workspace();
    const argv = ['serve', '--port', '0', '--data', join(dir, 'gateway')];
    const first = cli(argv);
    await first.printed('listening on');
    const before = /http:\S+/u.exec(first.stdout())?.[0] ?? '';
    const { id } = (await (await submit(before)).json()) as { readonly id: string };
    first.signal('SIGTERM');
    expect(await first.exit).toBe(0);
    const base = await serving(cli(argv));
    const events = await fetch(`${base}/api/v2/jobs/${id}/events`);
    expect(await events.text()).toContain('"status":"succeeded"');
  });

  it('T10 gives links of --origin and --mount behind a proxy, and tickets of before a restart open what they opened', async () => {
    const { cli, dir } = await workspace();
    const flags = ['--origin', 'https://app.example', '--mount', '/comfy', '--data', join(dir, 'gateway')];
    const argv = ['serve', '--port', '0', '--max-request-rate', '9', ...flags];
    const first = cli(argv);
    await first.printed('listening on');
    const before = /http:\S+/u.exec(first.stdout())?.[0] ?? '';
    const submitted = (await (await submit(`${before}/comfy`)).json()) as {
      readonly id: string;
      readonly urls: unknown;
    };
    expect(submitted.urls).toMatchObject({ self: `/comfy/api/v2/jobs/${submitted.id}` });
    const asked = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const { ticket } = (await (await fetch(`${before}/comfy/watch-tokens`, asked)).json()) as {
      readonly ticket: string;
    };
    first.signal('SIGTERM');
    expect(await first.exit).toBe(0);

    const base = await serving(cli(argv));
    const shown = await fetch(`${base}/comfy/jobs/${submitted.id}/events?ticket=${ticket}`);
    expect(await shown.text()).toContain('"phase":"completed"');
    const job = await fetch(`${base}/comfy/jobs/${submitted.id}?ticket=${ticket}`);
    expect(await job.text()).toContain(`"url":"https://app.example/comfy/jobs/${submitted.id}/outputs/`);
    expect(job.headers.get('keep-alive')).toBe('timeout=75');
  });

  it('T10 refuses addresses, paths and origins that are none', async () => {
    const { cli } = await workspace();
    for (const [flag, value, said] of [
      ['--origin', 'app.example', '--origin takes an origin'],
      ['--origin', 'ftp://app.example', '--origin takes an origin'],
      ['--origin', 'https://user:password@app.example', '--origin takes an origin'],
      ['--allow-origin', 'ws://app.example', '--allow-origin takes an origin'],
      ['--mount', '//app.example', 'mount is a path that begins with a slash'],
      ['--mount', 'comfy', 'mount is a path that begins with a slash'],
      ['--trust-proxy', 'proxy.local', 'A proxy is an address or a network'],
      ['--watch-secret-file', '/nowhere/at/all', "can't read /nowhere/at/all (ENOENT)"],
    ] as const) {
      const running = cli(['serve', '--port', '0', flag, value]);
      expect(await running.exit).toBe(2);
      expect(running.stderr()).toContain(said);
    }
  });

  it('K6: checks the folder of --data, says what is damaged, and repairs it with --repair', async () => {
    const { cli, dir } = await workspace();
    const data = join(dir, 'gateway');
    const { index, close } = await filePorts(data);
    for (const id of ['a', 'b']) {
      const record = { id, owner: 'o', client: 'default', createdAt: 1, expiresAt: 9e15, workflow: {} };
      await index.add({ ...record, submissionId: `s-${id}` });
    }
    await close();
    const level = new ClassicLevel(join(data, 'store'));
    await level.put('job!a', 'no value');
    await level.close();

    const checked = cli(['serve', '--data', data, '--check']);
    expect(await checked.exit).toBe(1);
    expect(checked.stderr()).toContain("Warning: The entry job!a can't be read.");
    expect(checked.stdout()).toMatch(/gateway has \d+ problems: --repair makes of it what can be read/u);
    const repaired = cli(['serve', '--data', data, '--check', '--repair', '--json']);
    expect(await repaired.exit).toBe(0);
    expect(jsonLines(repaired.stdout()).at(-2)).toMatchObject({
      kind: 'checked',
      folder: data,
      repaired: true,
    });
    const whole = cli(['serve', '--check', data]);
    expect([await whole.exit, whole.stdout()]).toEqual([0, `${data} is whole\n`]);
    const again = await filePorts(data);
    expect(await again.index.list('o', { limit: 9 })).toMatchObject([
      { id: 'b' },
      { id: 'a', unreadable: true },
    ]);
    await again.close();
  });

  it('K3: warns of what it can’t read in its folder, and serves the rest', async () => {
    const { cli, dir } = await workspace();
    const data = join(dir, 'gateway');
    await (await filePorts(data)).close();
    const level = new ClassicLevel(join(data, 'store'));
    await level.put('job!a', 'no value');
    await level.close();
    const running = cli(['serve', '--port', '0', '--data', data]);
    await serving(running);
    expect(running.stderr()).toContain("Warning: The entry job!a can't be read.");
    // A second one is refused, and learns which folder it is.
    const second = cli(['serve', '--port', '0', '--data', data]);
    expect(await second.exit).toBe(2);
    expect(second.stderr()).toContain(`Another gateway has the folder ${data}`);
  });

  it('refuses --check without a folder, and --repair without --check', async () => {
    const { cli } = await workspace();
    for (const argv of [['--check'], ['--repair', '--data', 'x'], ['--check', 'x', '--data', 'y']]) {
      const running = cli(['serve', ...argv]);
      expect(await running.exit).toBe(2);
      expect(running.stderr()).toContain('--check takes one folder, and --repair needs --check');
    }
  });

  it('sends webhooks to a host that --webhook-host names, and takes no other that is not public', async () => {
    const { cli } = await workspace();
    await using target = await httpServer((_, response) => response.writeHead(204).end());
    const host = new URL(target.origin).host;
    const base = await serving(cli(['serve', '--port', '0', '--webhooks', '--webhook-host', host]));
    const put = (url: string): Promise<Response> =>
      fetch(`${base}/webhooks`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url, secrets: [`whsec_${Buffer.alloc(32, 3).toString('base64')}`] }),
      });
    expect((await put('http://127.0.0.1:1/in')).status).toBe(422);
    expect((await put(`${target.origin}/in`)).status).toBe(201);
    const { id } = (await (await submit(base)).json()) as { readonly id: string };
    const typeOf = ({ body }: { readonly body: unknown }): unknown =>
      (JSON.parse(String(body)) as { readonly type: unknown }).type;
    await expect.poll(() => target.seen.map(typeOf), { timeout: 10_000 }).toContain('job.ended');
    expect(target.seen[0]).toMatchObject({ method: 'POST', url: '/in' });
    expect(String(target.seen[0]?.body)).toContain(id);
  });

  it('exits with 2 where the port is taken', async () => {
    const { cli } = await workspace();
    const base = await serving(cli(['serve', '--port', '0']));
    const second = cli(['serve', '--port', new URL(base).port]);
    expect(await second.exit).toBe(2);
    expect(second.stderr()).toContain('EADDRINUSE');
  });

  it('T11 gives its folder back where it can’t serve', async () => {
    const { cli, dir } = await workspace();
    const base = await serving(cli(['serve', '--port', '0']));
    const data = join(dir, 'given back');
    for (const flags of [
      ['--port', new URL(base).port],
      ['--trust-proxy', 'proxy.local'],
      ['--mount', 'comfy'],
      ['--watch-secret-file', '/nowhere/at/all'],
      ['--input-origin', 'files.example'],
      ['--webhook-host', '10.0.0.5'],
    ]) {
      const running = cli(['serve', '--port', '0', '--data', data, ...flags]);
      expect([flags, await running.exit]).toEqual([flags, 2]);
      await (await filePorts(data)).close();
    }
    const studio = cli(['studio', '--port', new URL(base).port, '--data', data]);
    expect(await studio.exit).toBe(2);
    await (await filePorts(data)).close();
  });
});
