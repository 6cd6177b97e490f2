import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { sinks } from '../../helpers/sinks.js';
import { strictFlags } from '../play-range.js';

/** How a command ended: its code, or the signal that killed it. */
export type Ending = number | NodeJS.Signals;

/** A command as a process of its own. */
export interface Command {
  readonly pid: number | undefined;
  readonly ended: Promise<Ending>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves once standard output or error holds this, and with false where it ends before. */
  readonly waitForText: (text: string) => Promise<boolean>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Goes away as the reader of standard output. */
  readonly stopReading: () => void;
  /** Writes to standard input, and resolves once nearly all of it was read. */
  readonly type: (keys: string) => Promise<void>;
}

/** Longer than most of them may take. */
const patienceMs = 30_000;

/** What {@link runCommand} starts. */
export interface CommandOptions {
  readonly main: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What still runs then is killed, and seen by how it ended; default 30 s. */
  readonly withinMs?: number;
}

/** Starts the command; Node ends it where it would otherwise only warn. */
export const runCommand = ({ main, argv, env, withinMs }: CommandOptions): Command =>
  watchProgram(process.execPath, [...strictFlags, main, ...argv], env, withinMs);

/** Starts a program and keeps what it writes. */
export const watchProgram = (
  program: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  withinMs = patienceMs,
): Command => {
  const child = spawn(program, argv, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  const lookers = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk;
      for (const look of lookers) look();
    });
  child.stdin.on('error', () => undefined);
  const patience = setTimeout(() => child.kill('SIGKILL'), withinMs);
  const ended = once(child, 'close').then(([code, signal]: unknown[]): Ending => {
    clearTimeout(patience);
    sinks.program(`the command ${argv.slice(-3).join(' ')}`, texts);
    return (code ?? signal) as Ending;
  });
  const waitForText = (text: string): Promise<boolean> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!texts.stdout.includes(text) && !texts.stderr.includes(text)) return;
        lookers.delete(look);
        resolve(true);
      };
      lookers.add(look);
      void ended.then(() => resolve(false));
      look();
    });
  return {
    pid: child.pid,
    ended,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    waitForText,
    kill: (signal) => child.kill(signal),
    stopReading: () => child.stdout.destroy(),
    type: (keys) => new Promise((resolve) => child.stdin.write(keys, () => resolve())),
  };
};
