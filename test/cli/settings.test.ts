import { chmod } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { stateFolder } from '../../src/cli/settings.js';
import { workspace } from './helpers/workspace.js';

describe('the key', () => {
  it('comes from a file that only its owner can read', async () => {
    const { cli, emulator, file, env } = await workspace();
    const keyFile = await file('key', `${emulator.apiKey}\n`);
    const none = { ...env, PROMPTWIRE_API_KEY: undefined };
    expect(await cli(['user', '--key-file', keyFile], { env: none }).exit).toBe(0);
    expect(await cli(['user'], { env: { ...none, PROMPTWIRE_API_KEY_FILE: keyFile } }).exit).toBe(0);
    expect(await cli(['user', '--key-file', '-'], { env: none, stdin: `${emulator.apiKey}\n` }).exit).toBe(0);

    for (const mode of [0o640, 0o604, 0o620, 0o602, 0o610, 0o601]) {
      await chmod(keyFile, mode);
      const open = cli(['user', '--key-file', keyFile], { env: none });
      expect(await open.exit, mode.toString(8)).toBe(2);
      expect(open.stderr()).toContain(`chmod 600 ${keyFile}`);
      expect(open.stderr()).not.toContain(emulator.apiKey);
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

  it('an unknown dialect is a usage error', async () => {
    const { cli } = await workspace();
    expect(await cli(['user'], { env: { PROMPTWIRE_DIALECT: 'klingon' } }).exit).toBe(2);
  });
});

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
