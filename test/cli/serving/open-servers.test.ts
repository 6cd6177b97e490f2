import { VirtualTimeScheduler, firstValueFrom, of } from 'rxjs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openServers } from '../../../src/cli/serving/open-servers.js';
import { httpServer, sendJson } from '../../helpers/http-server.js';
import { poolServer } from '../helpers/pool-server.js';

const sessionOf = (more: object = {}, env: Readonly<Record<string, string>> = {}) => {
  const secrets: string[] = [];
  const scheduler = new VirtualTimeScheduler();
  const session = {
    io: { env, stdin: Readable.from([]), scheduler },
    stop: new AbortController().signal,
    addSecret: (secret: string) => void secrets.push(secret),
    report: () => undefined,
    pool: () => Promise.reject(new Error('no pool was due')),
    ...more,
  } as never;
  return { session, secrets, scheduler };
};
const open = (flags: object, env: Readonly<Record<string, string>> = {}) =>
  openServers(sessionOf({}, env).session, flags);
const [one, gateway, redis] = ['http://127.0.0.1:8188', 'http://127.0.0.1:1', 'redis://127.0.0.1:1'];

describe('the servers that flags name', () => {
  it.each([
    { server: [one], gateway },
    { server: [one], redis },
    { servers: 'a.json', name: 'own' },
    { gateway, redis },
    { gateway, name: 'own' },
    { server: [one], gateway, redis },
  ])('are of one kind: %o', async (flags) => {
    await expect(open(flags)).rejects.toThrow('--server, --gateway and --redis stand in place of each other');
  });

  it('need a way to them', async () => {
    await expect(open({})).rejects.toThrow('no servers are named: give each with --server URL');
    await expect(open({ name: 'own' })).rejects.toThrow('no Redis server is named');
    await expect(open({ gatewayTokenFile: 'token' })).rejects.toThrow('--gateway-token-file needs --gateway');
    await expect(open({ server: [one], baseUrl: one })).rejects.toThrow('--base-url names one service');
    await expect(open({ gateway: 'attic' })).rejects.toThrow('--gateway takes an address');
  });
});

describe('the servers of a gateway', () => {
  it('are asked for with the token, which is kept out of all output', async () => {
    await using server = await httpServer((_seen, response) => sendJson(response, 403, {}));
    const folder = await mkdtemp(join(tmpdir(), 'promptwire-token-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const gatewayTokenFile = join(folder, 'token');
    await writeFile(gatewayTokenFile, 'the-token\n', { mode: 0o600 });
    const { session, secrets } = sessionOf();
    await using source = await openServers(session, { gateway: server.origin, gatewayTokenFile });
    await expect(firstValueFrom(source.servers)).rejects.toBeDefined();
    expect(secrets).toEqual(['the-token']);
    expect(server.seen[0]?.headers['authorization']).toBe('Bearer the-token');
    expect(source.change).toBeDefined();
  });

  it('are asked for without one where there is none', async () => {
    const { session, secrets } = sessionOf();
    await using source = await openServers(session, { gateway });
    expect([secrets, typeof source.change]).toEqual([[], 'function']);
  });
});

describe('plain servers', () => {
  it('tell every two seconds what they have to do, whoever gave it to them', async () => {
    const asked: unknown[] = [];
    let running = 1;
    const queueOf = (name: string) => (options: unknown) => () => {
      asked.push([name, options]);
      const queue = { running: Array.from({ length: running }), pending: [{}, {}] };
      return Promise.resolve(name === 'odd' ? { _tag: 'Left' } : { _tag: 'Right', right: queue });
    };
    const all = [
      poolServer({ name: 'attic', running: 0 }),
      poolServer({ name: 'odd', running: 0 }),
      poolServer({ name: 'cellar', health: 'down', running: 0 }),
    ];
    const pool = (options: unknown) => {
      expect(options).toEqual({ keepsFrames: false });
      return Promise.resolve({
        servers: of(all),
        client: (name: string) => ({ rest: { queue: queueOf(name) } }),
      });
    };
    const { session, scheduler } = sessionOf({ pool });
    await using source = await openServers(session, { server: [one] });
    // Only this command would know of a change.
    expect(source.change).toBeUndefined();
    const told: unknown[] = [];
    const watching = source.servers.subscribe((servers) =>
      told.push(servers.map(({ name, running, waiting }) => [name, running, waiting])),
    );
    const until = async (ms: number): Promise<void> => {
      scheduler.maxFrames = ms;
      scheduler.flush();
      await new Promise((resolve) => setImmediate(resolve));
    };
    await until(0);
    const each = { workflow: false, timeoutMs: 2_000 };
    expect(asked).toEqual([
      ['attic', each],
      ['odd', each],
    ]);
    expect(told).toEqual([
      [
        ['attic', 1, 2],
        ['odd', 0, 0],
        ['cellar', 0, 0],
      ],
    ]);
    running = 3;
    await until(1_999);
    expect(told).toHaveLength(1);
    await until(2_000);
    expect(told[1]).toEqual([
      ['attic', 3, 2],
      ['odd', 0, 0],
      ['cellar', 0, 0],
    ]);
    watching.unsubscribe();
  });
});
