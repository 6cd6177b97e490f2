import { exitCodes } from './exit-code.js';
import { asyncScheduler, fromEvent, map, merge, type Observable, type SchedulerLike } from 'rxjs';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';

/** The signals that end the command. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Everything that the command uses of its process, so that tests can replace it. */
export interface CliIo {
  readonly stdin: Readable;
  /** Results: paths, tables, JSON lines. */
  readonly stdout: Writable;
  /** Progress, notes and errors. */
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether standard error is a terminal. */
  readonly isTTY: boolean;
  /** Whether standard output is a terminal, so that results are shown to a person and go to no program or file. */
  readonly showsResults: boolean;
  /** Whether a person can be asked: standard input and standard error are terminals. */
  readonly asks: boolean;
  /** The current size of the terminal. */
  readonly columns: () => number;
  readonly rows: () => number;
  /** Milliseconds since the process started. */
  readonly uptimeMs: () => number;
  /** The clock of the command's waits. */
  readonly scheduler: SchedulerLike;
  readonly signals: Observable<StopSignal>;
}

/** The command line, a setting or a named file is not usable; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The part of a process that {@link processIo} uses. */
export interface HostProcess extends Pick<NodeJS.Process, 'on' | 'off' | 'env'> {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns: number; readonly rows: number };
  readonly exit: (code: number) => void;
}

/** The real process. A second signal ends it at once; on exit the cursor is visible again. */
export const processIo = (host: HostProcess = process): CliIo => {
  const { stdin, stdout, stderr, env } = host;
  const names: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const signals = merge(...names.map((name) => fromEvent(host, name).pipe(map(() => name))));

  let stopping = false;
  for (const name of names) {
    host.on(name, () => {
      if (stopping) host.exit(exitCodes[name].code);
      stopping = true;
    });
  }
  // A reader of the output may close the pipe at any time; `openStop` handles that.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  if (stderr.isTTY === true) host.on('exit', () => stderr.write('\u001B[?25h'));

  return {
    stdin,
    stdout,
    stderr,
    env,
    isTTY: stderr.isTTY === true,
    showsResults: stdout.isTTY === true,
    asks: stdin.isTTY === true && stderr.isTTY === true,
    columns: () => stderr.columns || 80,
    rows: () => stderr.rows || 24,
    uptimeMs: () => performance.now(),
    scheduler: asyncScheduler,
    signals,
  };
};
