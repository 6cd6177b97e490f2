import { cancelOwnJob, openStop, type StopReason } from './stop.js';
import { type Client, createClient as createOnNode, isServiceError } from '../node.js';
import { type CliIo, UsageError } from './cli-io.js';
import type { CommandBody, CommonFlags } from './session.js';
import { createClient as createOnBun } from '../bun.js';
import { type ExitName, exitOfError, type Stage } from './exit-code.js';
import type { Hider } from './redact-output.js';
import { openReporter } from './report/open-reporter.js';
import process from 'node:process';
import { readSettings } from './settings.js';

/**
 * Runs the work of a command to its end, good or bad, and resolves with the kind of that end; afterwards nothing is left:
 * no connection, no listener, no hidden cursor.
 */
export const perform = async (
  io: CliIo,
  { hide, learn, publish }: Hider,
  flags: CommonFlags,
  body: CommandBody,
): Promise<ExitName> => {
  const reporter = openReporter(io, flags, hide);
  const stop = openStop(io, flags.timeout === undefined ? undefined : flags.timeout * 1000);
  const startedMs = io.uptimeMs();
  let connecting: Promise<Client> | undefined;
  let stage: Stage = 'call';
  let promptId: string | undefined;

  const connect = (): Promise<Client> =>
    (connecting ??= readSettings({ ...io, stop: stop.signal }, flags).then((settings) => {
      learn(settings.apiKey);
      return createClient(settings);
    }));
  const reached = (next: Stage, id?: string): void => {
    stage = next;
    promptId = id ?? promptId;
  };
  const watched = (): string | undefined => (stage === 'watch' ? promptId : undefined);
  const endBy = (error: unknown): ExitName => {
    const exit = exitOf(error, stage, stop.reason());
    // The end event names the stop; the error that the stop caused adds nothing.
    if (exit !== stop.reason()) reporter.report({ kind: 'error', error: asError(error) });
    return exit;
  };

  try {
    const work = body({ io, report: reporter.report, publish, stop: stop.signal, connect, reached });
    const exit = await work.catch(endBy);
    const left = exit === 'SIGINT' && flags.onInterrupt === 'cancel' ? watched() : undefined;
    if (left !== undefined && (await cancelOwnJob(await connect(), left, reporter))) reached('cancel');
    await connecting?.then((client) => client.close()).catch(() => undefined);
    const ofJob = promptId === undefined ? {} : { promptId };
    reporter.report({ kind: 'end', exit, stage, ...ofJob, elapsedMs: io.uptimeMs() - startedMs });
    return exit;
  } finally {
    reporter.close();
    stop.close();
  }
};

const exitOf = (error: unknown, stage: Stage, stopped: StopReason | undefined): ExitName => {
  if (stopped !== undefined) return stage === 'submit' && mayHaveLeft(error) ? 'outcomeUnknown' : stopped;
  if (error instanceof UsageError) return 'usage';
  return isServiceError(error) ? exitOfError(error, stage) : 'unexpected';
};

const mayHaveLeft = (error: unknown): boolean => isServiceError(error) && error._tag === 'OutcomeUnknown';

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Makes a client of the runtime that runs the command. Other programs get it by the export conditions of the package. */
export const createClient = 'bun' in process.versions ? createOnBun : createOnNode;
