import { cancelAndWait, type Cancellation, openStop, type StopReason } from './stop.js';
import {
  type Client,
  createClient as createOnNode,
  defaultPlatform as onNode,
  isServiceError,
} from '../node.js';
import { commandHint } from './command-options.js';
import type { CliEvent } from './report/cli-event.js';
import { type FrameRecorder, recordFrames } from '../testing.js';
import { type CliIo, UsageError } from './cli-io.js';
import { durationsFile } from './durations-file.js';
import { type ConnectionFlags, readSettings, type Settings, stateFolder } from './settings.js';
import { createClient as createOnBun, defaultPlatform as onBun } from '../bun.js';
import type { Either } from 'fp-ts/lib/Either.js';
import { exitCodes, type ExitName, exitOfError, type Stage } from './exit-code.js';
import { createPool, type Pool } from '../pool.js';
import { readServers, type ServerFlags } from './input/server-flags.js';
import { openReporter, type ReportFlags } from './report/open-reporter.js';
import { reachOf, withReach } from './report/reach.js';
import type { OutputRedactor } from './redact-output.js';
import process from 'node:process';

/** The options common to all commands. */
export interface CommonFlags extends ConnectionFlags, ReportFlags, ServerFlags {
  /** Seconds from the start of the process. */
  readonly timeout?: number;
  /** What SIGINT does to the job that the command submitted; default `detach`. */
  readonly onInterrupt?: 'detach' | 'cancel';
  /** The file to record the socket's messages to. */
  readonly record?: string;
  /** Whether that recording leaves out the bytes of pictures. */
  readonly redactMedia?: boolean;
  /** How large that recording may be. */
  readonly recordMaxBytes?: number;
}

/** The settings, connections and reports that the body of a command uses. */
export interface Session {
  readonly io: CliIo;
  readonly report: (event: CliEvent) => void;
  /** Allows reports to show a key that is not secret: the emulator's own. */
  readonly allowKey: (apiKey: string) => void;
  /** Takes secrets out of a text that is written past the reports. */
  readonly redact: (text: string) => string;
  /** Keeps a secret out of reports. */
  readonly addSecret: (secret: string) => void;
  /** Aborts when a signal, `--timeout` or a broken pipe ends the command. */
  readonly stop: AbortSignal;
  /** Address, key and headers for environment and flags, read by the first call. */
  readonly settings: () => Promise<Settings>;
  /** The client for environment and flags; made by the first call, closed at the end. */
  readonly connect: (options?: ConnectOptions) => Promise<Client>;
  /** The pool of the servers that flags name; made by the first call, closed at the end. */
  readonly pool: (options?: ConnectOptions) => Promise<Pool>;
  /** Makes a client of the pool the one of this command, since the server of its job is known; `connect` gives it from then on. */
  readonly useClient: (client: Client) => void;
  /** Records the stage of the command and its job, which determine the exit code of an early end. */
  readonly enterStage: (stage: Stage, promptId?: string) => void;
  /** Lets the command end with the exit code of a program that it ran, unless it ends early. */
  readonly endAs: (code: number) => void;
}

/** The body of a command: resolves with the kind of its end; a rejection ends it as an error. */
type CommandBody = (session: Session) => Promise<ExitName>;

/** Runs the body of a command in a new session. */
export type RunCommand = (flags: CommonFlags, body: CommandBody) => Promise<void>;

/** Returns the value of a result and throws its error, which ends the command. */
export const orThrow = <A>(result: Either<Error, A>): A => {
  if (result._tag === 'Left') throw result.left;
  return result.right;
};

/** How a command uses its client. */
export interface ConnectOptions {
  /** Whether the client keeps frames of its jobs for those who subscribe later; a process that never does needs no memory for them. */
  readonly keepsFrames?: boolean;
}

/**
 * Runs the body of a command and resolves with its exit code. Afterwards its connection is closed, its listeners are
 * removed and the cursor is visible.
 */
export const runCommand = async (
  io: CliIo,
  { redact, addSecret, allow }: OutputRedactor,
  flags: CommonFlags,
  body: CommandBody,
): Promise<number> => {
  const reporter = openReporter(io, flags, redact);
  const stop = openStop(io, flags.timeout === undefined ? undefined : flags.timeout * 1000);
  const startedMs = io.uptimeMs();
  const reach = reachOf(flags);
  let reading: Promise<Settings> | undefined;
  let connecting: Promise<Client> | undefined;
  let pooling: Promise<Pool> | undefined;
  let ownCode: number | undefined;
  let stage: Stage = 'call';
  let promptId: string | undefined;

  const settings = (): Promise<Settings> =>
    (reading ??= readSettings({ ...io, stop: stop.signal }, flags).then((read) => {
      addSecret(read.apiKey);
      for (const [, value] of read.headers ?? []) addSecret(value);
      return read;
    }));
  const connect = ({ keepsFrames = true }: ConnectOptions = {}): Promise<Client> =>
    (connecting ??= settings().then((read) =>
      createClient({
        ...read,
        durations: durationsFile(stateFolder(io.env), read.baseUrl),
        ...(!keepsFrames && { keptFrames: { ...read.keptFrames, jobBytes: 0 } }),
        record: recorderOf(flags, reporter.report),
      }),
    ));
  const pool = ({ keepsFrames = true }: ConnectOptions = {}): Promise<Pool> =>
    (pooling ??= readServers({ ...io, stop: stop.signal }, flags).then((servers) => {
      if (flags.record !== undefined)
        throw new UsageError('--record writes what one connection carries: name the service with --base-url');
      for (const { apiKey, headers } of servers)
        for (const secret of [apiKey, ...(headers ?? []).map(([, value]) => value)]) addSecret(secret);
      return createPool({
        servers: servers.map((server) => ({
          ...server,
          durations: durationsFile(stateFolder(io.env), server.baseUrl),
          ...(!keepsFrames && { keptFrames: { ...server.keptFrames, jobBytes: 0 } }),
        })),
      });
    }));
  const useClient = (client: Client): void => {
    connecting = Promise.resolve(client);
  };
  const enterStage = (next: Stage, id?: string): void => {
    stage = next;
    promptId = id ?? promptId;
  };
  const report: Session['report'] = (event) =>
    reporter.report(event.kind === 'error' ? { ...event, error: inCommand(event.error, reach) } : event);
  const watchedJob = (): string | undefined => (stage === 'watch' ? promptId : undefined);
  const endWithError = (error: unknown): ExitName => {
    const exit = exitOf(error, stage, stop.reason());
    // The end event names the stop already.
    if (exit !== stop.reason()) report({ kind: 'error', error: asError(error) });
    return exit;
  };

  try {
    const work = body({
      io,
      report,
      allowKey: allow,
      redact,
      addSecret,
      stop: stop.signal,
      settings,
      connect,
      pool,
      useClient,
      enterStage,
      endAs: (code) => (ownCode = code),
    });
    const stopped = await work.catch(endWithError);
    const left = stopped === 'SIGINT' && flags.onInterrupt === 'cancel' ? watchedJob() : undefined;
    const cancelled =
      left === undefined
        ? 'refused'
        : await cancelAndWait(await connect(), left, {
            report,
            signals: io.signals,
            scheduler: io.scheduler,
          });
    if (cancelled !== 'refused') enterStage(stageOf(cancelled));
    const exit = cancelled === 'cancelled' ? 'cancelled' : stopped;
    for (const open of [connecting, pooling]) await open?.then((one) => one.close()).catch(() => undefined);
    const ofJob = promptId === undefined ? {} : { promptId };
    const elapsedMs = io.uptimeMs() - startedMs;
    reporter.report({ kind: 'end', exit, stage, ...ofJob, reach, elapsedMs });
    return exit === 'done' && ownCode !== undefined ? ownCode : exitCodes[exit].code;
  } finally {
    reporter.close();
    stop.close();
  }
};

/** Records what `--record` asks for, and warns of a recording that ends before the command does. */
const recorderOf = (
  { record, redactMedia = false, recordMaxBytes: maxBytes }: CommonFlags,
  report: Session['report'],
): FrameRecorder | undefined => {
  if (record === undefined) return undefined;
  return recordFrames(record, {
    redactMedia,
    maxBytes,
    onEnd: (end) => {
      const { reason, error } = end;
      if (reason === 'full')
        report({
          kind: 'warning',
          message: `the recording ${record} ended at its bound of ${end.maxBytes} bytes: --record-max-bytes raises it`,
        });
      if (reason === 'failed') {
        const why = error?.message ?? 'unknown reason';
        report({ kind: 'warning', message: `the recording ${record} has ended: ${why}` });
      }
    },
  });
};

/** Where a cancelled job leaves the command: its end is seen, or to be seen, or it had ended by itself with files to fetch. */
const stageOf = (cancelled: Exclude<Cancellation, 'refused'>): Stage =>
  cancelled === 'asked' ? 'cancel' : cancelled === 'cancelled' ? 'ended' : 'download';

const exitOf = (error: unknown, stage: Stage, stopped: StopReason | undefined): ExitName => {
  if (stopped !== undefined)
    return stage === 'submit' && isOutcomeUnknown(error) ? 'outcomeUnknown' : stopped;
  if (error instanceof UsageError) return 'usage';
  return isServiceError(error) ? exitOfError(error, stage) : 'unexpected';
};

const isOutcomeUnknown = (error: unknown): boolean =>
  isServiceError(error) && error._tag === 'OutcomeUnknown';

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** An error of the library names its options; its hint says here how the command takes them. */
const inCommand = (error: Error, reach: string): Error =>
  isServiceError(error) ? Object.assign(error, { hint: withReach(commandHint(error), reach) }) : error;

/** Makes a client for the runtime of the command; other programs get it by the export conditions of the package. */
export const createClient = 'bun' in process.versions ? createOnBun : createOnNode;

/** Makes the platform of that runtime. */
export const createPlatform = 'bun' in process.versions ? onBun : onNode;
