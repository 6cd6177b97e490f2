import type { CliIo } from '../cli-io.js';
import { constants } from 'node:os';
import { once } from 'node:events';
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** What a program beside the command gets. */
export interface BesideOptions {
  readonly io: Pick<CliIo, 'stdin' | 'stdout' | 'stderr'>;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends it. */
  readonly stop: AbortSignal;
}

/** Runs a line of the shell until it ends, and resolves with its exit code: for a signal 128 and its number, as shells have it. */
export const runBeside = async (line: string, { io, env, stop }: BesideOptions): Promise<number> => {
  const streams = [io.stdin, io.stdout, io.stderr];
  const child = spawn(line, {
    shell: true,
    env,
    stdio: streams.map((stream) => (isOfProcess(stream) ? stream : 'pipe')),
  });
  passOn(child, io);
  const end = (): void => void child.kill('SIGTERM');
  stop.addEventListener('abort', end);
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  } finally {
    stop.removeEventListener('abort', end);
  }
};

/** Whether a program may have the stream itself, so that it sees the terminal. */
const isOfProcess = (stream: Readable | Writable): boolean => 'fd' in stream && typeof stream.fd === 'number';

/** Passes on what the child could not be given. */
const passOn = (child: ChildProcess, { stdin, stdout, stderr }: BesideOptions['io']): void => {
  child.stdout?.pipe(stdout, { end: false });
  child.stderr?.pipe(stderr, { end: false });
  if (child.stdin !== null) stdin.pipe(child.stdin);
  // A program need not read its input.
  child.stdin?.on('error', () => undefined);
};
