import { bearerTokens, createGateway, type GatewayOptions } from '../../src/gateway.js';
import { changeServer, createRemote, type RemoteServer } from '../../src/remote.js';
import { createClient } from '../../src/node.js';
import { createPool } from '../../src/pool.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describedBy } from './openapi/described.js';
import { filter, firstValueFrom, map, NEVER, of, throwError } from 'rxjs';
import { poolServer } from '../cli/helpers/pool-server.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import { startEmulator } from '../../src/emulator.js';

const tokens = {
  operator: 'token-of-the-operator',
  watcher: 'token-of-the-watcher',
  web: 'token-of-the-web',
};
const authorize = bearerTokens(tokens, { operator: { servers: 'change' }, watcher: { servers: 'see' } });

const gatewayOf = async (options: Partial<GatewayOptions>) => {
  const gateway = createGateway({ authorize, ...options });
  onTestFinished(() => gateway.close());
  const ask = async (who: keyof typeof tokens, path: string, method = 'GET'): Promise<Response> =>
    gateway.fetch(
      new Request(`http://h${path}`, { method, headers: { authorization: `Bearer ${tokens[who]}` } }),
    );
  const document: unknown = await (await gateway.fetch(new Request('http://h/openapi.json'))).json();
  const check = describedBy(document as object);
  return { gateway, ask, check };
};

const pooled = async () => {
  const engine = await startEmulator({ dialect: 'local', speed: Infinity });
  const pool = createPool({ servers: [{ baseUrl: engine.baseUrl, dialect: 'local', name: 'attic' }] });
  onTestFinished(() => pool.close().then(() => engine.close()));
  return { pool, ...(await gatewayOf({ client: pool })) };
};

describe('the servers of a gateway over a pool', () => {
  it('are shown to callers with the right alone, and changed by those with more of it', async () => {
    const { ask, check } = await pooled();
    const statuses = async (who: keyof typeof tokens) => [
      (await ask(who, '/servers')).status,
      (await ask(who, '/servers/attic/pause', 'POST')).status,
      (await ask(who, '/servers/attic/resume', 'POST')).status,
    ];
    expect(await statuses('web')).toEqual([403, 403, 403]);
    expect(await statuses('watcher')).toEqual([200, 403, 403]);
    expect(await statuses('operator')).toEqual([200, 200, 200]);
    expect((await ask('operator', '/servers/cellar/drain', 'POST')).status).toBe(404);
    expect((await ask('web', '/servers/events')).status).toBe(403);
    const answer = await ask('watcher', '/servers');
    const text = await answer.text();
    const seen = { status: 200, contentType: answer.headers.get('content-type'), text };
    expect(check('GET', '/servers', seen)).toBeUndefined();
    expect(JSON.parse(text)).toMatchObject({ servers: [{ name: 'attic', mode: 'active' }] });
  });

  it('reach a remote as they change', async () => {
    const { gateway } = await pooled();
    const remote = createRemote({
      url: 'http://h',
      token: tokens.operator,
      fetch: (input, init) => gateway.fetch(new Request(input, init)),
    });
    onTestFinished(() => remote.close());
    const modeOf = (servers: readonly RemoteServer[]) => servers[0]?.mode;
    const paused = firstValueFrom(
      remote.servers.pipe(
        map(modeOf),
        filter((mode) => mode === 'paused'),
      ),
    );
    expect(await changeServer(remote, 'attic', 'pause')).toMatchObject({ mode: 'paused' });
    expect(await paused).toBe('paused');
    expect(await changeServer(remote, 'attic', 'drain')).toMatchObject({ mode: 'draining' });
    await expect(changeServer(remote, 'cellar', 'pause')).rejects.toMatchObject({ _tag: 'NotFound' });
    const web = createRemote({
      url: 'http://h',
      token: tokens.web,
      fetch: (input, init) => gateway.fetch(new Request(input, init)),
    });
    await expect(firstValueFrom(web.servers)).rejects.toMatchObject({ _tag: 'Forbidden' });
    web.close();
  });

  it('are a stream of events that ends with the gateway', async () => {
    const { ask, gateway } = await pooled();
    const stream = await ask('watcher', '/servers/events');
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    const text = stream.text();
    await gateway.close();
    expect(await text).toMatch(/^id: 1\nevent: servers\ndata: \{"servers":\[\{"name":"attic"/u);
  });
});

describe('the servers of a gateway over a queue', () => {
  const queueOf = (servers: NonNullable<GatewayOptions['queue']>['servers'], paused: string[] = []) => {
    const note = (name: string): Promise<unknown> => Promise.resolve(paused.push(name));
    const change = { pauseServer: note, resumeServer: note, drainServer: note };
    return {
      ...{ servers, ...change, stats: () => Promise.resolve({}) },
      ...{ add: () => Promise.reject(new Error()), follow: () => NEVER, previews: () => NEVER },
      cancel: () => Promise.resolve(),
    };
  };

  it('are those that its workers bring', async () => {
    const paused: string[] = [];
    const server = { ...poolServer(), workers: ['one'] };
    const { ask, check } = await gatewayOf({ queue: queueOf(of([server]), paused) });
    const text = await (await ask('watcher', '/servers')).text();
    expect(JSON.parse(text)).toEqual({ servers: [server] });
    expect(check('GET', '/servers', { status: 200, contentType: 'application/json', text })).toBeUndefined();
    expect((await ask('operator', '/servers/attic/pause', 'POST')).status).toBe(200);
    expect(paused).toEqual(['attic']);
  });

  it('are none over an account, and none before one service', async () => {
    const account = queueOf(throwError(() => serviceError('NotSupported', {})));
    await using client = createClient({ baseUrl: 'http://127.0.0.1:1', dialect: 'local' });
    for (const options of [{ queue: account }, { client }]) {
      const { ask } = await gatewayOf(options);
      expect((await ask('operator', '/servers')).status).toBe(501);
      expect((await ask('operator', '/servers/events')).status).toBe(501);
    }
  });
});
