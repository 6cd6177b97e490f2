import type { Observable } from 'rxjs';
import type { Readable, Writable } from 'node:stream';

/** The signals that end the command. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Everything that the command touches of its process, so that tests can be the process. */
export interface CliIo {
  readonly stdin: Readable;
  /** Results: paths, tables, JSON lines. */
  readonly stdout: Writable;
  /** Progress, notes and errors for a person. */
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether standard error is a terminal. */
  readonly isTTY: boolean;
  /** Its size at this moment. */
  readonly columns: () => number;
  readonly rows: () => number;
  /** Milliseconds since the process started. */
  readonly uptimeMs: () => number;
  readonly signals: Observable<StopSignal>;
}

/** The command line, a setting or a file named there is not usable; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
