import type { Client, ServiceError } from '../node.js';
import type { CliEvent } from './report/cli-event.js';
import type { CliIo } from './cli-io.js';
import type { ConnectionFlags } from './settings.js';
import type { Either } from 'fp-ts/lib/Either.js';
import type { ExitName, Stage } from './exit-code.js';
import type { ReportFlags } from './report/open-reporter.js';

/** The options common to all commands. */
export interface CommonFlags extends ConnectionFlags, ReportFlags {
  /** Seconds from the start of the process. */
  readonly timeout?: number;
  /** What SIGINT does to the job that the command submitted; default `detach`. */
  readonly onInterrupt?: 'detach' | 'cancel';
}

/** What the body of a command works with. */
export interface Session {
  readonly io: CliIo;
  readonly report: (event: CliEvent) => void;
  /** Allows reports to show a key that is not secret: the emulator's own. */
  readonly allowKey: (apiKey: string) => void;
  /** Aborts when a signal, `--timeout` or a broken pipe ends the command. */
  readonly stop: AbortSignal;
  /** The client for environment and flags; made by the first call, closed at the end. */
  readonly connect: () => Promise<Client>;
  /** Records the stage of the command and its job, which determine the exit code of an early end. */
  readonly enterStage: (stage: Stage, promptId?: string) => void;
}

/** The body of a command: resolves with the kind of its end; a rejection ends it as an error. */
export type CommandBody = (session: Session) => Promise<ExitName>;

/** Runs the body of a command in a new session. */
export type RunCommand = (flags: CommonFlags, body: CommandBody) => Promise<void>;

/** Returns the value of a result and throws its error, which ends the command. */
export const orThrow = <A>(result: Either<ServiceError, A>): A => {
  if (result._tag === 'Left') throw result.left;
  return result.right;
};
