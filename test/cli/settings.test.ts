import { chmod } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readBaseUrl, readSettings, refuseKeyArgument, stateFolder } from '../../src/cli/settings.js';
import { httpServer } from '../helpers/http-server.js';
import { workspace } from './helpers/workspace.js';

describe('the key', () => {
  it('comes from a file that only its owner can read', async () => {
    const { cli, emulator, file, env } = await workspace();
    const keyFile = await file('key', `${emulator.apiKey}\n`);
    const none = { ...env, PROMPTWIRE_API_KEY: undefined };
    expect(await cli(['user', '--key-file', keyFile], { env: none }).exit).toBe(0);
    expect(await cli(['user'], { env: { ...none, PROMPTWIRE_API_KEY_FILE: keyFile } }).exit).toBe(0);
    expect(await cli(['user', '--key-file', '-'], { env: none, stdin: `${emulator.apiKey}\n` }).exit).toBe(0);

    for (const mode of [0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o444]) {
      await chmod(keyFile, mode);
      const open = cli(['user', '--key-file', keyFile], { env: none });
      expect(await open.exit, mode.toString(8)).toBe(2);
      expect(open.stderr()).toContain(`chmod 600 ${keyFile}`);
      expect(open.stderr()).not.toContain(emulator.apiKey);
    }
  });

  it('is refused where its file is missing, also before a local server, which takes none', async () => {
    const { cli } = await workspace();
    const missing = ['--key-file', '/nowhere/key'];
    const local = ['--base-url', 'http://127.0.0.1:9', '--dialect', 'local'];
    for (const argv of [missing, [...missing, ...local], [...missing, '--server', 'http://127.0.0.1:9']]) {
      const running = cli([...(argv.includes('--server') ? ['servers'] : ['user']), ...argv]);
      expect(await running.exit).toBe(2);
      expect(running.stderr()).toContain('/nowhere/key');
    }
  });

  it('is refused where it is empty or more than a word, and never shown', async () => {
    const { cli, file } = await workspace();
    for (const content of ['', ' \n', 'two words', 'one\ntwo']) {
      const running = cli(['user', '--key-file', await file('key', content)]);
      expect(await running.exit).toBe(2);
      expect(running.stderr()).not.toContain('two');
    }
  });

  it.each([
    ['--api-key', 'sesame-1'],
    ['--api-key=sesame-1'],
    ['--apikey=sesame-1'],
    ['--token', 'sesame-1'],
    ['--API-KEY', 'sesame-1'],
  ])('H5: is never an argument: %s', async (...flags) => {
    const { cli, asked } = await workspace();
    const running = cli(['user', ...flags]);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain('PROMPTWIRE_API_KEY');
    expect(running.stdout() + running.stderr()).not.toContain('sesame');
    expect(asked()).toEqual([]);
  });

  it('is not sent in the local dialect', async () => {
    const { cli, emulator } = await workspace();
    expect(await cli(['user', '--dialect', 'local']).exit).not.toBe(0);
    expect(await cli(['user'], { env: { PROMPTWIRE_DIALECT: 'local' } }).exit).not.toBe(0);
    const sent = emulator.requests.map(({ url, headers }) => JSON.stringify([url, headers]));
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((text) => text.includes(emulator.apiKey))).toEqual([]);
  });

  it.each([
    ['another host', 'http://service.example:8000', 'http://service.example.evil:8000'],
    ['another port', 'http://service.example:8000', 'http://service.example:8001'],
    ['another scheme', 'https://service.example', 'http://service.example'],
    ['no address in the environment', undefined, 'http://service.example'],
  ])('H8: of the environment stays with its address: %s', async (_, own, other) => {
    await using elsewhere = await httpServer((_seen, response) => response.end('{}'));
    const { cli, file } = await workspace();
    const key = await file('key', 'sesame-1');
    for (const env of [
      { PROMPTWIRE_API_KEY: 'sesame-1' },
      { PROMPTWIRE_API_KEY: undefined, PROMPTWIRE_API_KEY_FILE: key },
    ]) {
      for (const to of [other, elsewhere.origin]) {
        const running = cli(['user', '--base-url', to], { env: { ...env, PROMPTWIRE_BASE_URL: own } });
        expect(await running.exit).toBe(2);
        expect(running.stderr()).toContain('--base-url names another origin');
        expect(running.stderr()).toContain('--key-file');
        expect(running.stderr()).not.toContain('sesame');
      }
    }
    expect(elsewhere.seen).toEqual([]);
    const named = cli(['user', '--base-url', elsewhere.origin, '--key-file', key], {
      env: { PROMPTWIRE_BASE_URL: own },
    });
    await named.exit;
    expect(elsewhere.seen.map(({ headers }) => headers['x-api-key'])).toContain('sesame-1');
  });

  it('H8: goes to another path of its origin, and to no other address with a socket of the environment', async () => {
    const { emulator, cli } = await workspace();
    expect(await cli(['user', '--base-url', `${emulator.baseUrl}/`]).exit).toBe(0);
    const read = readSettings(
      { env: { PROMPTWIRE_BASE_URL: 'https://a.example', PROMPTWIRE_WS_URL: 'wss://b.example' }, ...input() },
      { baseUrl: 'https://c.example' },
    );
    expect(await read).toEqual({ baseUrl: 'https://c.example', dialect: 'cloud' });
  });

  it('goes as --auth says, with the workspace of --workspace', async () => {
    const { cli, emulator } = await workspace();
    expect(await cli(['user', '--auth', 'bearer', '--workspace', 'ws-7']).exit).toBe(0);
    const { headers } = emulator.requests.at(-1)!;
    expect(headers).toMatchObject({
      authorization: `Bearer ${emulator.apiKey}`,
      'x-comfy-workspace-id': 'ws-7',
    });
    expect(headers).not.toHaveProperty('x-api-key');
    expect(await cli(['user', '--auth', 'basic']).exit).toBe(2);
    const misnamed = cli(['user', '--workspace', 'a b']);
    expect(await misnamed.exit).toBe(2);
    expect(misnamed.stderr()).toContain('workspace is --workspace');
  });

  it('an unknown dialect is a usage error', async () => {
    const { cli } = await workspace();
    expect(await cli(['user'], { env: { PROMPTWIRE_DIALECT: 'klingon' } }).exit).toBe(2);
  });
});

const input = () => ({ stdin: Readable.from([]), stop: new AbortController().signal });

describe('stateFolder', () => {
  it.each([
    [{ PROMPTWIRE_STATE_DIR: '/own', XDG_STATE_HOME: '/xdg', HOME: '/home/a' }, '/own'],
    [{ PROMPTWIRE_STATE_DIR: '', XDG_STATE_HOME: '/xdg', HOME: '/home/a' }, join('/xdg', 'promptwire')],
    [{ HOME: '/home/a' }, join('/home/a', '.local', 'state', 'promptwire')],
    [{}, join(homedir(), '.local', 'state', 'promptwire')],
  ])('%j gives %s', (env, folder) => {
    expect(stateFolder(env)).toBe(folder);
  });
});

describe('the bounds and clear text', () => {
  const source = (env: Readonly<Record<string, string>>) => ({
    env: { PROMPTWIRE_BASE_URL: 'http://service.example', ...env },
    ...input(),
  });

  it('N1 N4 come from the environment, and from flags before that', async () => {
    expect(await readSettings(source({}), {})).toEqual({
      baseUrl: 'http://service.example',
      dialect: 'cloud',
    });
    const env = {
      PROMPTWIRE_ALLOW_CLEAR_TEXT: '1',
      PROMPTWIRE_MAX_ANSWER_BYTES: '1000',
      PROMPTWIRE_MAX_MESSAGE_BYTES: '2e9',
      PROMPTWIRE_EARLY_BYTES: '3000',
    };
    const read = {
      ...{ allowClearText: true, maxAnswerBytes: 1000, maxMessageBytes: 2e9 },
      keptFrames: { earlyBytes: 3000 },
    };
    expect(await readSettings(source(env), {})).toMatchObject(read);
    const flags = { allowClearText: true, maxAnswerBytes: 5, maxMessageBytes: 6 };
    expect(await readSettings(source({}), flags)).toMatchObject(flags);
    expect(await readSettings(source(env), flags)).toMatchObject(flags);
  });

  it.each(['PROMPTWIRE_MAX_ANSWER_BYTES', 'PROMPTWIRE_MAX_MESSAGE_BYTES', 'PROMPTWIRE_EARLY_BYTES'])(
    'N1 are numbers of bytes: %s',
    async (name) => {
      for (const text of ['0', '-1', '8 MiB'])
        await expect(readSettings(source({ [name]: text }), {})).rejects.toThrow(name);
    },
  );

  it('N4 the command refuses a key in clear text, and says how it would take it', async () => {
    const { cli } = await workspace();
    const env = { PROMPTWIRE_BASE_URL: 'http://192.0.2.1' };
    const refused = cli(['user'], { env });
    expect(await refused.exit).toBe(2);
    expect(refused.stderr()).toContain('baseUrl would send the key in clear text over a network.');
    expect(refused.stderr()).toContain('allowClearText is --allow-clear-text');
  });

  it('N1 the command reads an answer within its bound alone, and says how to raise it', async () => {
    const { cli } = await workspace();
    const bounded = cli(['user', '--max-answer-bytes', '5']);
    expect(await bounded.exit).not.toBe(0);
    expect(bounded.stderr()).toContain('more than 5 bytes, the bound of maxAnswerBytes');
    expect(bounded.stderr()).toContain('maxAnswerBytes is --max-answer-bytes');
  });
});

describe('the settings of an environment', () => {
  const read = (env: Readonly<Record<string, string>>, flags: object = {}) =>
    readSettings({ env, stdin: Readable.from([]), stop: new AbortController().signal }, flags);
  const own = { PROMPTWIRE_BASE_URL: ' https://a.example/x ', PROMPTWIRE_WS_URL: ' wss://b.example ' };

  it('are trimmed, and those of another service are left aside', async () => {
    expect(await read({ ...own, PROMPTWIRE_API_KEY: ' key\n' })).toEqual({
      ...{ baseUrl: 'https://a.example/x', wsUrl: 'wss://b.example', dialect: 'cloud', apiKey: 'key' },
    });
    expect(await read(own, { baseUrl: 'https://a.example' })).toMatchObject({ wsUrl: 'wss://b.example' });
    expect(await read(own, { baseUrl: 'https://c.example' })).toEqual({
      ...{ baseUrl: 'https://c.example', dialect: 'cloud' },
    });
    expect(await read({ ...own, PROMPTWIRE_WS_URL: ' ' })).not.toHaveProperty('wsUrl');
  });

  it('name a local server where nothing does, and no other one', () => {
    expect(readBaseUrl({}, 'local')).toBe('http://127.0.0.1:8188');
    expect(readBaseUrl({ PROMPTWIRE_BASE_URL: ' ' }, 'local')).toBe('http://127.0.0.1:8188');
    for (const dialect of ['cloud', 'v2'] as const)
      expect(() => readBaseUrl({}, dialect)).toThrow('no service is named: set PROMPTWIRE_BASE_URL');
    for (const flag of ['', ' '])
      expect(() => readBaseUrl(own, 'local', flag)).toThrow('--base-url is empty');
  });
});

it('a key among the arguments is refused before `--`, and not behind it', () => {
  for (const argv of [['--key=x'], ['run', '--token', 'x'], ['--api-key=x', '--', 'a'], ['--APIKEY']])
    expect(() => refuseKeyArgument(argv)).toThrow('a key is not taken as an argument');
  for (const argv of [[], ['--key-file', 'x'], ['--', '--key'], ['a', '--', '--token', '--'], ['token']])
    expect(() => refuseKeyArgument(argv)).not.toThrow();
});
