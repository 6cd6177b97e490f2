import { homedir } from 'node:os';
import { join } from 'node:path';
import type { CliIo } from '../cli-io.js';

/** The folder for what outlives a run: PROMPTWIRE_STATE_DIR, else `promptwire` in XDG_STATE_HOME or ~/.local/state. */
export const stateFolder = (env: CliIo['env']): string => {
  const { PROMPTWIRE_STATE_DIR: own = '', XDG_STATE_HOME: xdg = '', HOME: home = '' } = env;
  if (own !== '') return own;
  if (xdg !== '') return join(xdg, 'promptwire');
  return join(home === '' ? homedir() : home, '.local', 'state', 'promptwire');
};
