import * as E from 'fp-ts/lib/Either.js';
import { Agent } from 'node:http';
import type { Client, ClientOptions } from '../../src/node.js';
import { createClient, defaultPlatform, outputFiles, proxyAgent, toPromise } from '../../src/node.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { filter, firstValueFrom, lastValueFrom } from 'rxjs';
import { httpServer } from '../helpers/http-server.js';
import { inspect } from 'node:util';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { nodePlatform } from '../../src/core/platform/node.js';
import { join } from 'node:path';
import { callersOf, proxyServer, type ProxyServer } from '../helpers/proxy-server.js';
import { startEmulator, type Emulator, textToImageWorkflow } from '../../src/emulator.js';
import { tmpdir } from 'node:os';
import { WebSocket as UndiciWebSocket } from 'undici';

const workflow = textToImageWorkflow({ steps: 3, width: 64, height: 64 });

const emulator = async (options: Parameters<typeof startEmulator>[0] = {}): Promise<Emulator> => {
  const started = await startEmulator({ speed: Infinity, ...options });
  onTestFinished(() => started.close());
  return started;
};

const proxyOf = async (login?: string): Promise<ProxyServer> => {
  const proxy = await proxyServer(login);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return proxy;
};

const clientOf = (options: ClientOptions): Client => {
  const client = createClient(options);
  onTestFinished(() => client.close());
  return client;
};

const folder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'proxy-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
};

describe('a client behind a proxy', () => {
  it.each(['cloud', 'local'] as const)(
    'sends calls, uploads, downloads and its socket by it, and nothing around it, with dialect %s',
    async (dialect) => {
      const service = await emulator({ dialect });
      const proxy = await proxyOf('user:p@ss word');
      const callers = callersOf(service.baseUrl, service.storageUrl);
      const client = clientOf({
        ...service,
        dialect,
        agent: proxyAgent(`http://user:p%40ss%20word@127.0.0.1:${proxy.port}`),
      });
      const last = await lastValueFrom(client.run(workflow));
      expect(last).toMatchObject({ phase: 'completed' });
      const dir = await folder();
      await lastValueFrom(client.download(last, dir, { include: 'temp' }));
      expect(await readdir(dir)).toHaveLength(outputFiles(last.outputs).length);
      const content = new Uint8Array(300_000);
      expect(E.isRight(await client.rest.uploadImage({ content, filename: 'a.png' })())).toBe(true);
      expect(callers.size).toBeGreaterThan(1);
      expect([...callers].filter((port) => !proxy.ownPorts.has(port))).toEqual([]);
      const socket = new URL(service.wsUrl).host;
      expect(proxy.asked.filter(({ method }) => method === 'CONNECT').map(({ target }) => target)).toEqual([
        socket,
      ]);
      const storage = dialect === 'cloud' ? service.storageUrl : service.baseUrl;
      expect(proxy.asked.some(({ target }) => target.startsWith(storage))).toBe(true);
    },
  );

  it('whose password is wrong fails for good, says what to do, and shows no password', async () => {
    const service = await emulator();
    const proxy = await proxyOf('user:right');
    const callers = callersOf(service.baseUrl, service.storageUrl);
    const client = clientOf({
      ...service,
      agent: proxyAgent(`http://user:wrong-password@127.0.0.1:${proxy.port}`),
    });
    const refused = { _tag: 'Network', code: 'EPROXY', sent: false, retry: 'never' };
    const submitted = await client.submit(workflow)();
    expect(submitted).toMatchObject({
      left: { ...refused, message: expect.stringContaining('407') as string },
    });
    const error = await lastValueFrom(client.frames).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ ...refused, hint: expect.stringContaining('user:password') as string });
    expect(await firstValueFrom(client.connection)).toMatchObject({ _tag: 'failed', cause: 'config' });
    const secure = clientOf({
      baseUrl: 'https://service.example',
      agent: proxyAgent(`http://user:wrong-password@127.0.0.1:${proxy.port}`),
    });
    expect(await secure.rest.queue()()).toMatchObject({ left: refused });
    expect(inspect([client, submitted, error], { depth: 9, showHidden: true })).not.toMatch(
      /wrong-password/u,
    );
    expect(callers.size).toBe(0);
  });

  it.each([
    [403, 'never', 1],
    [503, 'always', 4],
  ])('that it refuses with %i gets Network, with %s to retry', async (refusal, _, attempts) => {
    const proxy = await proxyOf();
    proxy.refusal = refusal;
    const platform = { ...defaultPlatform({ agent: proxyAgent(proxy.url) }), random: () => 0 };
    const client = clientOf({ baseUrl: 'https://service.example', platform });
    const submitted = await client.rest.submit(workflow)();
    expect(submitted).toMatchObject({ left: { _tag: 'Network', code: 'EPROXY', sent: false } });
    expect(proxy.asked.map(({ method, target }) => `${method} ${target}`)).toEqual(
      new Array<string>(attempts).fill('CONNECT service.example:443'),
    );
  });

  it('that gets no answer of it ends by its deadline, and can be closed', async () => {
    const proxy = await proxyOf();
    proxy.refusal = 'silence';
    const client = clientOf({ baseUrl: 'https://service.example', agent: proxyAgent(proxy.url) });
    const frames = client.frames.subscribe();
    expect(await client.rest.queue({ timeoutMs: 300 })()).toMatchObject({ left: { _tag: 'Timeout' } });
    frames.unsubscribe();
    await client.close();
  });

  it('never goes around it while it is away', async () => {
    const service = await emulator();
    const proxy = await proxyOf();
    const callers = callersOf(service.baseUrl, service.storageUrl);
    await proxy[Symbol.asyncDispose]();
    const platform = { ...defaultPlatform({ agent: proxyAgent(proxy.url) }), random: () => 0 };
    const client = clientOf({ ...service, platform });
    const waiting = firstValueFrom(client.connection.pipe(filter(({ _tag }) => _tag === 'waiting')));
    client.frames.subscribe();
    expect(await client.rest.submit(workflow)()).toMatchObject({
      left: { _tag: 'Network', code: 'ECONNREFUSED', sent: false },
    });
    await waiting;
    expect(callers.size).toBe(0);
  });

  it('opens its socket anew by it where it dies, and finishes the job', async () => {
    const service = await emulator({ speed: 4 });
    const proxy = await proxyOf();
    const callers = callersOf(service.baseUrl, service.storageUrl);
    const client = clientOf({ ...service, agent: proxyAgent(proxy.url) });
    const states = client.run(workflow);
    const reopened = client.connection.pipe(filter(({ _tag }) => _tag === 'waiting'));
    let cuts = 0;
    const frames = client.frames.subscribe(({ _tag }) => {
      if (_tag === 'Preview' && (cuts += 1) === 1) proxy.cut();
    });
    const [last] = await Promise.all([lastValueFrom(states), firstValueFrom(reopened)]);
    expect(last).toMatchObject({ phase: 'completed', outputsComplete: true });
    frames.unsubscribe();
    expect([...callers].filter((port) => !proxy.ownPorts.has(port))).toEqual([]);
  });

  it('does not know the outcome of a submission that it dies with, and sends it once', async () => {
    const proxy = await proxyOf();
    await using service = await httpServer(() => proxy.cut());
    const client = clientOf({ baseUrl: service.origin, agent: proxyAgent(proxy.url) });
    expect(await client.rest.submit(workflow)()).toMatchObject({ left: { _tag: 'OutcomeUnknown' } });
    expect(service.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /api/prompt']);
  });

  it('fails a download that it dies with', async () => {
    const proxy = await proxyOf();
    await using service = await httpServer((_, response) => {
      response.writeHead(200, { 'content-length': '1000000', 'content-type': 'image/png' });
      response.write(new Uint8Array(100_000));
    });
    const client = clientOf({ baseUrl: service.origin, dialect: 'local', agent: proxyAgent(proxy.url) });
    const { body } = await toPromise(client.rest.view({ filename: 'a.png' }));
    const read = async (): Promise<void> => {
      for await (const piece of body) if (piece.length > 0) proxy.cut();
    };
    await expect(read()).rejects.toMatchObject({ _tag: 'DownloadFailed' });
  });
});

describe('an agent of the user', () => {
  /** Counts the connections that it opens. */
  class Counting extends Agent {
    opened = 0;
    override createConnection(...given: Parameters<Agent['createConnection']>) {
      this.opened += 1;
      return super.createConnection(...given);
    }
  }

  it('opens every connection, of the socket too, and stays open with the client closed', async () => {
    const service = await emulator();
    const agent = new Counting({ keepAlive: true });
    const callers = callersOf(service.baseUrl, service.storageUrl);
    const client = clientOf({ ...service, agent });
    const last = await lastValueFrom(client.run(workflow));
    await lastValueFrom(client.download(last, await folder()));
    expect([agent.opened, callers.size]).toEqual([callers.size, agent.opened]);
    await client.close();
    expect(Object.keys(agent.freeSockets)).not.toEqual([]);
    agent.destroy();
  });

  it('may be chosen by the URL, which has no query; undefined connects directly', async () => {
    const service = await emulator();
    const agent = new Counting();
    const asked = new Set<string>();
    const client = clientOf({
      ...service,
      agent: (url) => {
        asked.add(url.href);
        return url.protocol === 'ws:' ? agent : undefined;
      },
    });
    const last = await lastValueFrom(client.run(workflow));
    await toPromise(client.rest.view(outputFiles(last.outputs)[0]!)).then(({ discard }) => discard());
    expect(agent.opened).toBe(1);
    expect([...asked].filter((url) => url.includes('?'))).toEqual([]);
    expect([...asked]).toEqual(
      expect.arrayContaining([
        `${service.wsUrl}/ws`,
        `${service.baseUrl}/api/prompt`,
        `${service.baseUrl}/api/view`,
      ]),
    );
  });

  it('that connects directly keeps to the class of addresses of a download', async () => {
    await using storage = await httpServer((_, response) => response.end('never'));
    const platform = nodePlatform({
      agent: new Agent(),
      lookup: (_, { all }, found) =>
        all === true ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4),
    });
    const request = { method: 'GET', headers: {}, url: `http://storage.example:${storage.port}/` } as const;
    await expect(platform.request({ ...request, addressClass: 'public' })).rejects.toMatchObject({
      code: 'EADDRCLASS',
      sent: false,
    });
    expect(storage.seen).toEqual([]);
    await platform.close();
  });

  it.each<[string, Partial<ClientOptions>, RegExp]>([
    ['a text', { agent: 'http://proxy.example' as never }, /http\.Agent/u],
    ['a dispatcher of undici', { agent: { dispatch: () => true } as never }, /http\.Agent/u],
    ['null', { agent: null as never }, /http\.Agent/u],
    ['beside a WebSocket', { agent: new Agent(), WebSocket: UndiciWebSocket }, /go around it/u],
    ['beside a platform', { agent: new Agent(), platform: defaultPlatform() }, /go around it/u],
  ])('is InvalidConfig as %s', (_, options, message) => {
    const make = (): unknown => createClient({ baseUrl: 'https://service.example', ...options });
    expect(make).toThrow(expect.objectContaining({ _tag: 'InvalidConfig', option: 'agent' }) as Error);
    expect(make).toThrow(message);
  });
});
