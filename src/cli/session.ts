import type { Client, ServiceError } from '../node.js';
import type { CliEvent } from './report/cli-event.js';
import type { CliIo } from './cli-io.js';
import type { ConnectionFlags } from './settings.js';
import type { Either } from 'fp-ts/lib/Either.js';
import type { ExitName, Stage } from './exit-code.js';
import type { ReportFlags } from './report/open-reporter.js';

/** The options that every command understands. */
export interface CommonFlags extends ConnectionFlags, ReportFlags {
  /** Seconds from the start of the process. */
  readonly timeout?: number;
  /** What SIGINT does to the job that the command submitted; default `detach`. */
  readonly onInterrupt?: 'detach' | 'cancel';
}

/** What a command works with, from its start to its end. */
export interface Session {
  readonly io: CliIo;
  readonly report: (event: CliEvent) => void;
  /** Lets reports show a key that is not secret: the emulator's own. */
  readonly publish: (apiKey: string) => void;
  /** Aborts when a signal, `--timeout` or a broken pipe ends the command. */
  readonly stop: AbortSignal;
  /** The client of the service that environment and flags name; made by the first call, closed at the end. */
  readonly connect: () => Promise<Client>;
  /** Records the stage of the command and its job: the exit code of an early end depends on both. */
  readonly reached: (stage: Stage, promptId?: string) => void;
}

/** The work of a command: it resolves with the kind of its end, and throws what ends it otherwise. */
export type CommandBody = (session: Session) => Promise<ExitName>;

/** Runs the work of a command in a session of its own. */
export type Perform = (flags: CommonFlags, body: CommandBody) => Promise<void>;

/** Gives the value of a result and throws its error, which `perform` turns into the command's end. */
export const orThrow = <A>(result: Either<ServiceError, A>): A => {
  if (result._tag === 'Left') throw result.left;
  return result.right;
};
