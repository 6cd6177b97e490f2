import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient } from '../../src/node.js';
import { createClient as createClientOfPage } from '../../src/browser.js';
import { startEmulator } from '../../src/emulator.js';
import { withEnvironment } from '../../src/core/platform/node/environment.js';

const env = { PROMPTWIRE_BASE_URL: 'https://cloud.example/x', PROMPTWIRE_API_KEY: ' the-key ' };
const read = (options: object, variables: object = env) =>
  withEnvironment(options, () => variables as Record<string, string>);

describe('options from the environment', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('createClient() needs none of its own', async () => {
    const emulator = await startEmulator({ speed: Infinity });
    onTestFinished(() => emulator.close());
    vi.stubEnv('PROMPTWIRE_BASE_URL', emulator.baseUrl);
    vi.stubEnv('PROMPTWIRE_API_KEY', emulator.apiKey);
    await using client = createClient();
    expect((await client.rest.user()())._tag).toBe('Right');
  });

  it('are not read in a page, whose bundler may put variables into it', async () => {
    const emulator = await startEmulator({ speed: Infinity });
    onTestFinished(() => emulator.close());
    vi.stubEnv('PROMPTWIRE_BASE_URL', emulator.baseUrl);
    vi.stubEnv('PROMPTWIRE_API_KEY', emulator.apiKey);
    await using client = createClientOfPage({ baseUrl: emulator.baseUrl });
    expect(await client.rest.user()()).toMatchObject({ left: { _tag: 'Unauthorized' } });
    expect(emulator.requests.map(({ headers }) => headers['x-api-key'])).toEqual([undefined]);
  });

  it('are those of four variables of the process', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'promptwire-env-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    await writeFile(join(dir, 'key'), 'in-a-file', { mode: 0o600 });
    vi.stubEnv('PROMPTWIRE_BASE_URL', 'https://cloud.example');
    vi.stubEnv('PROMPTWIRE_DIALECT', 'v2');
    vi.stubEnv('PROMPTWIRE_API_KEY', undefined);
    vi.stubEnv('PROMPTWIRE_API_KEY_FILE', join(dir, 'key'));
    const given = { baseUrl: 'https://cloud.example', dialect: 'v2' };
    expect(withEnvironment({})).toEqual({ ...given, apiKey: 'in-a-file' });
    vi.stubEnv('PROMPTWIRE_API_KEY', 'own');
    expect(withEnvironment({})).toEqual({ ...given, apiKey: 'own' });
  });

  it('fill in what the program does not give', () => {
    expect(read({})).toEqual({ baseUrl: 'https://cloud.example/x', apiKey: 'the-key' });
    expect(read({ apiKey: 'own' })).toMatchObject({ apiKey: 'own' });
    expect(read({}, { ...env, PROMPTWIRE_DIALECT: 'v2' })).toMatchObject({
      dialect: 'v2',
      apiKey: 'the-key',
    });
    expect(read({ dialect: 'cloud' }, { ...env, PROMPTWIRE_DIALECT: 'local' })).toMatchObject({
      apiKey: 'the-key',
    });
    expect(read({}, { PROMPTWIRE_DIALECT: 'local' })).toEqual({ dialect: 'local' });
    expect(read({}, {})).toEqual({});
  });

  it.each([
    ['the same origin', { baseUrl: 'https://cloud.example/other' }, true],
    ['the default port', { baseUrl: 'https://cloud.example:443' }, true],
    ['another host', { baseUrl: 'https://cloud.example.evil' }, false],
    ['another port', { baseUrl: 'https://cloud.example:444' }, false],
    ['another scheme', { baseUrl: 'http://cloud.example' }, false],
    ['no address', { baseUrl: 'cloud.example' }, false],
    ['its own socket', { wsUrl: 'wss://cloud.example' }, true],
    ["another's socket", { wsUrl: 'wss://elsewhere.example' }, false],
  ])('a key goes to its own address only: %s', (_, options, isSent) => {
    expect('apiKey' in read(options)).toBe(isSent);
    // Without an address in the environment, its key belongs to none.
    expect(read({ baseUrl: 'https://cloud.example' }, { PROMPTWIRE_API_KEY: 'k' })).not.toHaveProperty(
      'apiKey',
    );
  });

  it('a dialect is of its address as well', () => {
    const variables = { ...env, PROMPTWIRE_DIALECT: 'local' };
    expect(read({ baseUrl: 'https://other.example' }, variables)).toEqual({
      baseUrl: 'https://other.example',
    });
  });

  it('reads a key file, and refuses one that others can read', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'promptwire-env-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const file = join(dir, 'key');
    await writeFile(file, 'in-a-file\n', { mode: 0o600 });
    const variables = { PROMPTWIRE_BASE_URL: env.PROMPTWIRE_BASE_URL, PROMPTWIRE_API_KEY_FILE: file };
    expect(read({}, variables)).toMatchObject({ apiKey: 'in-a-file' });
    await chmod(file, 0o644);
    const refused = expect.objectContaining({
      ...{ _tag: 'InvalidConfig', option: 'apiKey', message: expect.stringContaining('chmod 600') as string },
    }) as Error;
    expect(() => read({}, variables)).toThrow(refused);
    expect(() => read({}, { ...variables, PROMPTWIRE_API_KEY_FILE: `${file}-none` })).toThrow(/ENOENT/u);
  });

  it('takes any key file on Windows, whose files have no such modes', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'promptwire-env-'));
    const { platform } = process;
    onTestFinished(async () => {
      Object.defineProperty(process, 'platform', { value: platform });
      await rm(dir, { recursive: true });
    });
    const file = join(dir, 'key');
    await writeFile(file, 'in-a-file', { mode: 0o644 });
    await chmod(file, 0o644);
    Object.defineProperty(process, 'platform', { value: 'win32' });
    const variables = { PROMPTWIRE_BASE_URL: env.PROMPTWIRE_BASE_URL, PROMPTWIRE_API_KEY_FILE: file };
    expect(read({}, variables)).toMatchObject({ apiKey: 'in-a-file' });
  });

  it('are not read where the program gives them all', () => {
    const variables = (): never => {
      throw new Error('read');
    };
    const options = { baseUrl: 'https://a.example', dialect: 'cloud', apiKey: 'k' };
    expect(withEnvironment(options, variables)).toBe(options);
  });
});
