import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { namesServers, readServers, withServers } from '../../../src/cli/input/server-flags.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'promptwire-servers-'));
});
afterEach(() => rm(folder, { recursive: true }));

const file = async (name: string, content: unknown): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
  return path;
};
const sourceOf = (env: Readonly<Record<string, string>> = {}, stdin = '') => ({
  env,
  stdin: Readable.from([stdin]),
  stop: new AbortController().signal,
});
const [one, two] = ['http://127.0.0.1:8188', 'http://127.0.0.1:8189'];

describe('the flags of many servers', () => {
  it('are taken as often as they are given', () => {
    const read = (...argv: readonly string[]): unknown =>
      withServers(new Command())
        .parse([...argv], { from: 'user' })
        .opts();
    expect(read()).toEqual({});
    expect(read('--server', one, '--server', two, '--servers', 'a.json')).toEqual({
      server: [one, two],
      servers: 'a.json',
    });
  });

  it('stand in place of the address of one service', () => {
    expect([namesServers({}), namesServers({ baseUrl: one })]).toEqual([false, false]);
    expect([namesServers({ server: [one] }), namesServers({ servers: 'a.json' })]).toEqual([true, true]);
    for (const flags of [{ server: [one] }, { servers: 'a.json' }])
      expect(() => namesServers({ ...flags, baseUrl: two })).toThrow(
        '--base-url names one service, and --server or --servers many',
      );
  });
});

describe('readServers', () => {
  it('gives servers of flags before those of the file, each of the local dialect unless it says otherwise', async () => {
    const listed = [two, { baseUrl: 'http://attic:8188', name: 'attic', tags: ['big'], slots: 2, ahead: 0 }];
    const servers = await file('servers.json', listed);
    expect(await readServers(sourceOf(), { server: [one], servers })).toEqual([
      { baseUrl: one, dialect: 'local' },
      { baseUrl: two, dialect: 'local' },
      { ...(listed[1] as object), dialect: 'local' },
    ]);
    expect(await readServers(sourceOf(), {})).toEqual([]);
  });

  it('gives each what all of them share', async () => {
    const flags = { server: [one, two], header: ['X-Team: a'], maxAnswerBytes: 5 };
    const shared = { headers: [['X-Team', 'a']], maxAnswerBytes: 5, dialect: 'local' };
    expect(await readServers(sourceOf(), flags)).toEqual([
      { baseUrl: one, ...shared },
      { baseUrl: two, ...shared },
    ]);
  });

  it('sends a server the key of its own file, and the one of the environment to its own address alone', async () => {
    const keyFile = await file('own', 'own-key\n');
    const servers = await file('servers.json', [
      { baseUrl: one, dialect: 'cloud', keyFile },
      { baseUrl: two, dialect: 'v2' },
      { baseUrl: 'http://attic:8188', keyFile },
    ]);
    const env = { PROMPTWIRE_API_KEY: 'key-of-two', PROMPTWIRE_BASE_URL: `${two}/path` };
    expect(await readServers(sourceOf(env), { servers })).toMatchObject([
      { baseUrl: one, dialect: 'cloud', apiKey: 'own-key' },
      { baseUrl: two, dialect: 'v2', apiKey: 'key-of-two' },
      { baseUrl: 'http://attic:8188', dialect: 'local' },
    ]);
    const read = await readServers(sourceOf(env), { servers });
    expect(read[2]).not.toHaveProperty('apiKey');
    expect(read[0]).not.toHaveProperty('keyFile');
    const elsewhere = readServers(sourceOf({ ...env, PROMPTWIRE_BASE_URL: one }), { servers });
    await expect(elsewhere).rejects.toMatchObject({ _tag: 'InvalidConfig', option: 'apiKey' });
  });

  it('reads the key of several servers once, as it may come from standard input', async () => {
    const flags = { server: [one, two], dialect: 'cloud', keyFile: '-' } as const;
    expect(await readServers(sourceOf({}, 'the-key\n'), flags)).toMatchObject([
      { baseUrl: one, dialect: 'cloud', apiKey: 'the-key' },
      { baseUrl: two, dialect: 'cloud', apiKey: 'the-key' },
    ]);
  });

  it.each(['127.0.0.1:8188', 'ftp://a.example', 'http://', 'http:///x', 'https://[', ''])(
    'takes no address of another kind: %j',
    async (url) => {
      const refused = readServers(sourceOf(), { server: [one, url] });
      await expect(refused).rejects.toThrow(`--server takes an address such as ${one}, and got "${url}"`);
      const servers = await file('servers.json', [one, url]);
      await expect(readServers(sourceOf(), { servers })).rejects.toThrow(
        `${servers}, server 2: "${url}" is no address; write [`,
      );
    },
  );

  it.each<readonly [string, unknown]>([
    ['it is neither an address nor an object', 5],
    ['it is neither an address nor an object', null],
    ['url is not one of baseUrl, name, tags, slots, ahead, dialect, keyFile', { url: one }],
    ['it has no baseUrl', {}],
    ['baseUrl is an address in quotes', { baseUrl: 'attic' }],
    ['baseUrl is an address in quotes', { baseUrl: 5 }],
    ['name is a name in quotes', { baseUrl: one, name: '' }],
    ['tags is a list of words', { baseUrl: one, tags: 'big' }],
    ['tags is a list of words', { baseUrl: one, tags: ['big', 5] }],
    ['slots is a number', { baseUrl: one, slots: '2' }],
    ['ahead is a number', { baseUrl: one, ahead: null }],
    ['dialect is one of cloud, local, v2', { baseUrl: one, dialect: 'own' }],
    ['keyFile is the path of a file', { baseUrl: one, keyFile: '' }],
  ])('says what is wrong with a server of the file: %s', async (problem, entry) => {
    const servers = await file('servers.json', [entry]);
    await expect(readServers(sourceOf(), { servers })).rejects.toThrow(
      `${servers}, server 1: ${problem}; write ["http://127.0.0.1:8188"`,
    );
  });

  it.each([{}, [], 'text', null])('takes no file without a list of servers: %j', async (content) => {
    const servers = await file('servers.json', JSON.stringify(content));
    await expect(readServers(sourceOf(), { servers })).rejects.toThrow('holds no list of servers: write [');
  });
});
