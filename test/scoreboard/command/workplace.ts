import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../../src/emulator.js';
import { type Gate, openGate } from '../../cli/helpers/open-gate.js';
import { canaryKey } from '../../helpers/canaries.js';

/** A folder and a service for one command, and what the service has seen. */
export interface Workplace extends AsyncDisposable {
  readonly dir: string;
  readonly emulator: Emulator;
  readonly env: Readonly<Record<string, string>>;
  readonly file: (name: string, content: object | Uint8Array) => Promise<string>;
  /** A proxy before the service. */
  readonly gate: (held: string) => Promise<Gate>;
  /** Ids that each deletion named, in order. */
  readonly deleted: () => readonly unknown[];
  readonly submissions: () => number;
  readonly interrupts: () => number;
  /** Names below the folder for outputs. */
  readonly saved: () => Promise<readonly string[]>;
}

/** Makes a {@link Workplace}. */
export const openWorkplace = async (options: EmulatorOptions = {}): Promise<Workplace> => {
  const key = canaryKey('of-a-program');
  const emulator = await startEmulator({ speed: Infinity, acceptKeys: [key], ...options });
  const dir = await mkdtemp(join(tmpdir(), 'promptwire-s21-'));
  const gates: Gate[] = [];
  const posts = (path: string) =>
    emulator.requests.filter(({ method, url }) => method === 'POST' && url.startsWith(path));
  return {
    dir,
    emulator,
    env: {
      PROMPTWIRE_STATE_DIR: join(dir, 'state'),
      PROMPTWIRE_BASE_URL: emulator.baseUrl,
      PROMPTWIRE_WS_URL: emulator.wsUrl,
      PROMPTWIRE_API_KEY: key,
    },
    file: async (name, content) => {
      const path = join(dir, name);
      await writeFile(path, content instanceof Uint8Array ? content : JSON.stringify(content));
      return path;
    },
    gate: async (held) => {
      const gate = await openGate(emulator.baseUrl, held);
      gates.push(gate);
      return gate;
    },
    deleted: () =>
      posts('/api/queue').map(
        ({ body = '{}' }) => (JSON.parse(body) as { readonly delete?: unknown }).delete,
      ),
    submissions: () => posts('/api/prompt').length,
    interrupts: () => posts('/api/interrupt').length,
    saved: () => readdir(join(dir, 'out')).catch(() => []),
    [Symbol.asyncDispose]: async () => {
      for (const gate of gates) await gate.close();
      await emulator.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
};
