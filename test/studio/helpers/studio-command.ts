import { type ChildProcess, spawn } from 'node:child_process';
import { expect } from 'vitest';
import { join } from 'node:path';
import { once } from 'node:events';
import type { Consumer } from '../../helpers/consumer.js';

/** A command of the installed package, and what it has printed. */
export interface StudioCommand extends AsyncDisposable {
  /** The address that it prints. */
  readonly address: string;
  /** Waits until standard error holds a text. */
  readonly told: (text: string) => Promise<void>;
}

/** Without an address of the environment, so that the command has those of its flags. */
const plainEnv = { PATH: process.env['PATH'] ?? '' };

/** Starts `promptwire` in a project, on a port that is free. */
export const startCommand = async (
  { folder }: Pick<Consumer, 'folder'>,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<StudioCommand> => {
  const command = join(folder, 'node_modules', 'promptwire', 'dist', 'cli', 'main.js');
  const child: ChildProcess = spawn(process.execPath, [command, ...args, '--port', '0'], {
    cwd: folder,
    env: { ...plainEnv, ...env, PROMPTWIRE_STATE_DIR: join(folder, 'state') },
  });
  const printed = { out: '', err: '' };
  child.stdout?.on('data', (bytes: Buffer) => (printed.out += bytes.toString()));
  child.stderr?.on('data', (bytes: Buffer) => (printed.err += bytes.toString()));
  await expect.poll(() => printed.out).toMatch(/ (?:at|on) http:\S+\n/u);
  return {
    address: /http:\S+/u.exec(printed.out)?.[0] ?? '',
    told: (text) => expect.poll(() => printed.err).toContain(text),
    [Symbol.asyncDispose]: async () => {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
};
