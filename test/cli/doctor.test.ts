import { account, accountWithSocket, at, examined, serving } from './helpers/examined.js';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { judgeNode } from '../../src/cli/doctor/checks/machine.js';
import { once } from 'node:events';
import { textToImageWorkflow } from '../../src/emulator.js';
import { workspace } from './helpers/workspace.js';

describe('promptwire doctor', () => {
  it.each(['cloud', 'local', 'v2'] as const)(
    'finds nothing wrong with a service that is well: %s',
    async (dialect) => {
      const { emulator, dir } = await workspace({ dialect });
      const { code, lines, text } = await examined(['--dialect', dialect, '--out', dir], {
        ...at(emulator.baseUrl),
        PROMPTWIRE_API_KEY: emulator.apiKey,
      });
      expect(lines.filter(({ status }) => status === 'failed')).toEqual([]);
      expect(code).toBe(0);
      expect(lines.map(({ check }) => check)).toEqual([
        ...['node', 'address', 'proxy', 'dns', 'connection', 'tls', 'clock'],
        ...['dialect', 'key', 'plan', 'socket', 'storage', 'cross-origin', 'disk', 'redis'],
      ]);
      expect(emulator.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(text).not.toContain(emulator.apiKey);
    },
  );

  it('follows a file to its storage', async () => {
    const { emulator, file, cli, dir } = await workspace();
    const path = await file('a.json', textToImageWorkflow({ steps: 1, width: 64, height: 64 }));
    expect(await cli(['run', path, '--out', dir]).exit).toBe(0);
    const { of } = await examined([], { ...at(emulator.baseUrl), PROMPTWIRE_API_KEY: emulator.apiKey });
    expect(of('storage')?.status).toBe('ok');
  });

  it('names the first cause, and leaves out what it breaks', async () => {
    const { code, firstFailed, of } = await examined([], at('http://127.0.0.1:1'));
    expect(firstFailed).toMatchObject({
      check: 'connection',
      message: expect.stringContaining('ECONNREFUSED') as unknown,
    });
    expect(of('socket')).toMatchObject({ status: 'skipped', message: 'not before key is well' });
    expect(code).toBe(12);
  });

  it('says that the clock is wrong', async () => {
    const url = await serving(account('active', { date: new Date(Date.now() + 3_600_000).toUTCString() }));
    const { firstFailed } = await examined([], at(url));
    expect(firstFailed).toMatchObject({
      check: 'clock',
      message: expect.stringContaining('behind') as unknown,
    });
  });

  it('says which dialect a service is of', async () => {
    const { emulator } = await workspace({ dialect: 'local' });
    const { firstFailed, code } = await examined(['--dialect', 'cloud'], at(emulator.baseUrl));
    expect(firstFailed).toMatchObject({ check: 'dialect', fix: 'Say --dialect local.' });
    expect(code).toBe(2);
  });

  it('says that something else answers', async () => {
    const url = await serving((_, response) => response.end('<html>Please sign in</html>'));
    expect((await examined([], at(url))).firstFailed).toMatchObject({ check: 'dialect' });
  });

  it('says that the key is refused, and never shows it', async () => {
    const { emulator } = await workspace();
    const { firstFailed, code, text } = await examined([], at(emulator.baseUrl));
    expect([firstFailed?.check, code]).toEqual(['key', 3]);
    expect(text).not.toContain('key-of-the-account');
  });

  it('says that the account is not active', async () => {
    const { firstFailed, code } = await examined([], at(await serving(account('inactive'))));
    expect([firstFailed?.check, code]).toEqual(['plan', 4]);
  });

  it.each([
    [{}, 'ok', /whether credits suffice shows only at a submission/u],
    [
      { free_tier_balance: { allowance: 10, used: 4, remaining: 6 } },
      'ok',
      /6 of 10 of its free tier are left/u,
    ],
    [{ free_tier_balance: { allowance: 10, used: 10, remaining: 0 } }, 'failed', /used up \(10 of 10\)/u],
    [{ can_run_partner_nodes: false }, 'warning', /may not run nodes of partners/u],
  ])('says what the service tells of credits: %j', async (features, status, message) => {
    const url = await serving(account('active', {}, { '/api/features': features }));
    const { of, code } = await examined([], at(url));
    expect(of('plan')).toMatchObject({ status, message: expect.stringMatching(message) as unknown });
    // Where it is the first cause it makes the exit code; else the missing socket does.
    expect(code).toBe(status === 'failed' ? 4 : 12);
  });

  it.each([
    ['ok', '{"type":"status","data":{}}', true],
    ['warning', undefined, true],
    ['failed', '{"type":"status","data":{}}', false],
  ] as const)(
    'looks at the first message and the ping of the socket: %s',
    async (status, greeting, autoPong) => {
      const port = await accountWithSocket(greeting, autoPong);
      expect((await examined([], at(`http://127.0.0.1:${port}`))).of('socket')?.status).toBe(status);
    },
  );

  it('says that the storage of files does not answer', async () => {
    const { emulator, file, cli, dir } = await workspace();
    const path = await file('a.json', textToImageWorkflow({ steps: 1, width: 64, height: 64 }));
    expect(await cli(['run', path, '--out', dir]).exit).toBe(0);
    const headers = { location: 'http://127.0.0.1:1/file' };
    emulator.answerOnce('GET', '/api/view', { status: 302, headers });
    const { of } = await examined([], { ...at(emulator.baseUrl), PROMPTWIRE_API_KEY: emulator.apiKey });
    expect(of('storage')).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('ECONNREFUSED') as unknown,
    });
  });

  it('says that a page may call', async () => {
    const { emulator } = await workspace({ allowOrigin: 'https://app.example' });
    const more = { ...at(emulator.baseUrl), PROMPTWIRE_API_KEY: emulator.apiKey };
    const { of } = await examined(['--origin', 'https://app.example'], more);
    expect(of('cross-origin')?.status).toBe('ok');
  });

  it('says that an address is of no use, and that a key would cross a network in clear text', async () => {
    expect((await examined([], at('ftp://service.example'))).firstFailed).toMatchObject({ check: 'address' });
    const clear = at(`http://${'x'.repeat(64)}.example`);
    expect((await examined([], clear)).firstFailed).toMatchObject({
      check: 'address',
      message: expect.stringContaining('clear text') as unknown,
      fix: expect.stringContaining('--allow-clear-text') as unknown,
    });
    const { of } = await examined(['--allow-clear-text'], clear);
    expect(of('address')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('clear text') as unknown,
    });
  });

  it('says that live events do not come', async () => {
    const { firstFailed, code } = await examined([], at(await serving(account('active'))));
    expect([firstFailed?.check, code]).toEqual(['socket', 12]);
  });

  it('says that a page may not call', async () => {
    const { of } = await examined(['--origin', 'https://app.example'], at(await serving(account('active'))));
    expect(of('cross-origin')).toMatchObject({
      status: 'failed',
      fix: expect.stringContaining('gateway') as unknown,
    });
  });

  it('says that files have no place', async () => {
    const { file } = await workspace();
    const { of } = await examined(['--out', await file('no-folder', 'x')], at('http://127.0.0.1:1'));
    expect(of('disk')?.status).toBe('failed');
  });

  it.each([
    ['noeviction', 'ok'],
    ['allkeys-lru', 'warning'],
  ])('looks at Redis: %s', async (policy, status) => {
    const answers: Readonly<Record<string, string>> = {
      PING: '+PONG\r\n',
      CONFIG: `*2\r\n$16\r\nmaxmemory-policy\r\n$${policy.length}\r\n${policy}\r\n`,
      INFO: '$21\r\nredis_version:7.4.0\r\n\r\n',
      AUTH: '+OK\r\n',
    };
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (bytes: Buffer) => {
        const word = /\r\n([A-Z]+)\r\n/u.exec(bytes.toString())?.[1] ?? '';
        socket.write(answers[word] ?? '-ERR\r\n');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const redis = `redis://:word-of-redis@127.0.0.1:${port}`;
    const { of, text } = await examined(['--redis', redis], at('http://127.0.0.1:1'));
    expect(of('redis')).toMatchObject({ status, message: expect.stringContaining('7.4.0') as unknown });
    expect(text).not.toContain('word-of-redis');
  });

  it('says that Redis does not answer', async () => {
    const { of } = await examined(['--redis', 'redis://127.0.0.1:1'], at('http://127.0.0.1:1'));
    expect(of('redis')?.status).toBe('failed');
  });

  it.each([
    ['18.20.0', 'failed'],
    ['20.18.3', 'failed'],
    ['20.19.0', 'ok'],
    ['22.11.0', 'failed'],
    ['24.1.0', 'ok'],
  ])('judges Node.js %s: %s', (version, status) => expect(judgeNode(version).status).toBe(status));
});
