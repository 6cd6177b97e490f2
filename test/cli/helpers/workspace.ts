import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmulatorOptions, startEmulator } from '../../../src/emulator.js';
import { afterFile } from '../../helpers/after-file.js';
import { type RunningCli, startCli, type StartCliOptions } from './start-cli.js';

/** A folder, an emulator, and commands that know both. */
export interface Workspace {
  readonly dir: string;
  readonly emulator: Awaited<ReturnType<typeof startEmulator>>;
  readonly env: Readonly<Record<string, string>>;
  /** Where records of `--job-key` go. */
  readonly stateDir: string;
  /** Writes a file and gives its path. */
  readonly file: (name: string, content: string | Uint8Array | object) => Promise<string>;
  readonly cli: (argv: readonly string[], options?: StartCliOptions) => RunningCli;
  /** `METHOD /path` of what the emulator was asked, queries left out. */
  readonly asked: () => readonly string[];
}

/** Makes a workspace that is removed after the tests of the file, as some of them run concurrently. */
export const workspace = async (options: EmulatorOptions = {}): Promise<Workspace> => {
  const emulator = await startEmulator({ speed: Infinity, ...options });
  const dir = await mkdtemp(join(tmpdir(), 'promptwire-cli-'));
  afterFile(async () => {
    await emulator.close();
    await rm(dir, { recursive: true, force: true });
  });
  const stateDir = join(dir, 'state');
  const env = {
    PROMPTWIRE_STATE_DIR: stateDir,
    PROMPTWIRE_BASE_URL: emulator.baseUrl,
    PROMPTWIRE_WS_URL: emulator.wsUrl,
    PROMPTWIRE_API_KEY: emulator.apiKey,
  };
  return {
    dir,
    emulator,
    env,
    stateDir,
    file: async (name, content) => {
      const path = join(dir, name);
      const bytes =
        typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content);
      await writeFile(path, bytes, { mode: 0o600 });
      return path;
    },
    cli: (argv, more = {}) => startCli(argv, { ...more, env: { ...env, ...more.env } }),
    asked: () => emulator.requests.map(({ method, url }) => `${method} ${url.split('?')[0] ?? ''}`),
  };
};
