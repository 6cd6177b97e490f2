import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stateFolder } from '../../../src/cli/settings/state-folder.js';

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
