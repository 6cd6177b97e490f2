import type { Observable } from 'rxjs';
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
  /** The current size of the terminal. */
  readonly columns: () => number;
  readonly rows: () => number;
  /** Milliseconds since the process started. */
  readonly uptimeMs: () => number;
  readonly signals: Observable<StopSignal>;
}

/** The command line, a setting or a named file is not usable; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
