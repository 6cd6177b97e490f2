import { PassThrough, Readable } from 'node:stream';
import { asyncScheduler, Subject } from 'rxjs';
import type { CliIo, StopSignal } from '../../../src/cli/cli-io.js';
import { runCli } from '../../../src/cli/program.js';

/** What a test can choose of the process that the command sees. */
export interface StartCliOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string | Readable;
  readonly isTTY?: boolean;
  /** Whether standard output is a terminal; default: it is a pipe. */
  readonly showsResults?: boolean;
  /** Whether a person can be asked; default false. */
  readonly asks?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly uptimeMs?: () => number;
}

/** A command that runs in this process. */
export interface RunningCli {
  readonly exit: Promise<number>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves once standard output or error holds this. */
  readonly printed: (text: string | RegExp) => Promise<void>;
  readonly signal: (name: StopSignal) => void;
  /** Makes standard output fail as a pipe without a reader does. */
  readonly breakPipe: () => void;
}

/** Starts the command with these arguments. */
export const startCli = (argv: readonly string[], options: StartCliOptions = {}): RunningCli => {
  const {
    env = {},
    stdin = '',
    isTTY = false,
    showsResults = false,
    asks = false,
    columns = 80,
    rows = 24,
    uptimeMs = () => performance.now(),
  } = options;
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const signals = new Subject<StopSignal>();
  const grown = new Subject<void>();
  const texts = [stdout, stderr].map((stream) => {
    let text = '';
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      grown.next();
    });
    return () => text;
  });
  const [out = () => '', err = () => ''] = texts;
  const io: CliIo = {
    stdin: typeof stdin === 'string' ? Readable.from([stdin]) : stdin,
    stdout,
    stderr,
    env,
    isTTY,
    showsResults,
    asks,
    columns: () => columns,
    rows: () => rows,
    uptimeMs,
    scheduler: asyncScheduler,
    signals,
  };

  const printed = (text: string | RegExp): Promise<void> =>
    new Promise((resolve) => {
      const watching = grown.subscribe(look);
      look();
      function look(): void {
        const all = out() + err();
        if (typeof text === 'string' ? !all.includes(text) : !text.test(all)) return;
        watching.unsubscribe();
        resolve();
      }
    });

  return {
    exit: runCli(argv, io),
    stdout: out,
    stderr: err,
    printed,
    signal: (name) => signals.next(name),
    breakPipe: () => stdout.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  };
};
