import { type Ending, runCommand } from '../command/run-command.js';
import type { Emulator } from '../../../src/emulator.js';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readFileSync, writeFileSync } from 'node:fs';
import { bundledFile } from '../../helpers/bundle-program.js';

const turnWatch = join(import.meta.dirname, 'turn-watch.ts');

/** `promptwire serve` in a process of its own. */
export interface ServedCommand {
  readonly base: string;
  /** Its memory is measured from now on. */
  readonly forgetPeak: () => void;
  /** The most of its resident memory since then, in MiB; NaN where it has ended. */
  readonly peakMiB: () => number;
  /** Ends it by SIGTERM; the result says what was wrong. */
  readonly end: () => Promise<readonly string[]>;
}

/** What {@link serveCommand} starts. */
export interface ServeOptions {
  readonly main: string;
  readonly folder: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly emulator: Pick<Emulator, 'baseUrl' | 'wsUrl' | 'apiKey'>;
  /** The address of a Redis server, in place of the folder. */
  readonly redis?: string | undefined;
  /** Where it tells the longest turn of its event loop: the path of a socket. */
  readonly turnsAt?: string;
}

/** Starts the command as its users do, with its default limits and callers by these tokens; it keeps what it has in a folder. */
export const serveCommand = async ({
  main,
  folder,
  tokens,
  emulator: { baseUrl, wsUrl, apiKey },
  redis,
  turnsAt,
}: ServeOptions): Promise<ServedCommand> => {
  const places = redis === undefined ? ['--data', join(folder, 'data')] : ['--redis', redis];
  const running = runCommand({
    main,
    argv: ['serve', '--port', '0', ...places, '--dialect', 'local'],
    env: {
      PROMPTWIRE_BASE_URL: baseUrl,
      PROMPTWIRE_WS_URL: wsUrl,
      PROMPTWIRE_API_KEY: apiKey,
      PROMPTWIRE_GATEWAY_TOKENS: Object.entries(tokens)
        .map(([name, token]) => `${name}:${token}`)
        .join(),
      PROMPTWIRE_STATE_DIR: join(folder, 'state'),
      ...(turnsAt !== undefined && {
        TURNS_AT: turnsAt,
        NODE_OPTIONS: `--import=${pathToFileURL(await bundledFile(turnWatch)).href}`,
      }),
    },
    withinMs: 15 * 60_000,
  });
  await running.waitForText('listening on');
  const base = /listening on (http:\S+)/u.exec(running.stdout() + running.stderr())?.[1];
  if (base === undefined) throw new Error(`serve said ${running.stderr()}`);
  let early: Ending | undefined;
  let isEnding = false;
  const ended = running.ended.then((ending) => {
    if (!isEnding) early = ending;
    return ending;
  });
  return {
    base,
    forgetPeak: () => writeFileSync(`/proc/${running.pid}/clear_refs`, '5'),
    peakMiB: () => {
      if (early !== undefined) return NaN;
      const [, kibibytes] =
        /VmHWM:\s*(\d+) kB/u.exec(readFileSync(`/proc/${running.pid}/status`, 'utf8')) ?? [];
      return Number(kibibytes) / 1024;
    },
    end: async () => {
      isEnding = true;
      running.kill('SIGTERM');
      const ending = await ended;
      if (early !== undefined) return [`serve ended with ${early}: ${running.stderr().slice(-400)}`];
      return ending === 0 ? [] : [`serve ended with ${ending} at SIGTERM`];
    },
  };
};
