import type { Command } from 'commander';
import type { CommonFlags, RunCommand, Session } from '../run-command.js';
import { createWorker, folderSink, type QueueMessages } from '../../queue.js';
import type { ExitName } from '../exit-code.js';
import { firstValueFrom } from 'rxjs';
import { fromAbortSignal } from '../../node.js';
import { folderPath, integer, positive, withConnection } from './common-options.js';
import { InvalidArgumentError, Option } from 'commander';
import { namesServers, type ServerFlags, withServers } from '../input/server-flags.js';
import { type QueueFlags, readQueue, withQueue } from '../input/queue-flags.js';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

interface WorkerFlags extends CommonFlags, QueueFlags, ServerFlags {
  readonly tier?: Tier;
  readonly out?: string;
  readonly grace: number;
  readonly countExternal?: true;
  readonly countForeign?: true;
  readonly maxPreviewBytes?: number;
  readonly maxLogBytes?: number;
}

type Tier = 'free' | 'standard' | 'creator' | 'pro' | number;

/** Adds `promptwire worker`. */
export const addWorker = (program: Command, runCommand: RunCommand): void => {
  withServers(withConnection(withQueue(program.command('worker'))))
    .description('Run the jobs of a queue on this machine, until Ctrl-C; start as many as you like.')
    .option(
      '--tier <tier>',
      'how many jobs the account runs at once: free, standard, creator, pro, or a number; default what the queue has, or else 1',
      tier,
    )
    .option(
      '--out <dir>',
      'save the files of each job into a folder of its own in this one; default they stay at the service',
      folderPath,
    )
    .option(
      '--max-preview-bytes <n>',
      'largest preview that reaches followers of the queue; default 8 MiB',
      positive,
    )
    .option(
      '--max-log-bytes <n>',
      'how much the queue keeps of what a job tells, as JSON; default 8 MiB',
      positive,
    )
    .option('--count-external', 'let jobs of other programs on the account use slots of the queue')
    .addOption(new Option('--count-foreign', 'the former name of --count-external').hideHelp())
    .option(
      '--grace <seconds>',
      'let jobs end for so long at a signal, then hand them over',
      integer(3_600),
      20,
    )
    .action((flags: WorkerFlags) => runCommand(flags, (session) => work(session, flags)));
};

const tier = (text: string): Tier => {
  const named = (['free', 'standard', 'creator', 'pro'] as const).find((name) => name === text);
  if (named !== undefined) return named;
  if (!/^[1-9]\d{0,3}$/u.test(text)) {
    throw new InvalidArgumentError('It is free, standard, creator, pro, or a number above 0.');
  }
  return Number(text);
};

const work = async (session: Session, flags: WorkerFlags): Promise<ExitName> => {
  const { report, stop, enterStage, connect, pool } = session;
  const isOverServers = namesServers(flags);
  const queue = readQueue(session, flags);
  const stopListening = reportJobs(session, flags.name);
  const worker = createWorker({
    ...queue,
    ...(isOverServers
      ? { pool: await pool({ keepsFrames: false }) }
      : { client: await connect({ keepsFrames: false }) }),
    ...(flags.tier !== undefined && { tier: flags.tier }),
    ...((flags.countExternal ?? flags.countForeign) === true && { countExternalJobs: true }),
    ...{ maxPreviewBytes: flags.maxPreviewBytes, maxLogBytes: flags.maxLogBytes },
    ...(flags.out !== undefined && { sink: folderSink(flags.out) }),
    onPause: (error) =>
      report({
        kind: 'warning',
        message: isOverServers
          ? `a server is paused, since it takes no job of its account: ${error.message}`
          : `the queue is paused, since the service takes no job of this account: ${error.message}`,
      }),
  });
  try {
    await worker.ready;
    enterStage('serve');
    report({ kind: 'worker', id: worker.id, queue: flags.name });
    await firstValueFrom(fromAbortSignal(stop), { defaultValue: undefined });
  } finally {
    await worker.close({ graceMs: flags.grace * 1000 });
    stopListening();
  }
  return 'done';
};

/** Reports the jobs that end here, and those that become unknown. */
const reportJobs = ({ report }: Session, queue: string): (() => void) => {
  const ended = (message: unknown): void => {
    const { queue: name, jobId: id, ...job } = message as QueueMessages['promptwire:queue:end'];
    const { tenant, phase, promptId, reason } = job;
    if (name === queue) report({ kind: 'job', job: { id, tenant, phase, promptId, reason } });
  };
  const unknown = (message: unknown): void => {
    const { queue: name, jobId: id, tenant, reason } = message as QueueMessages['promptwire:queue:unknown'];
    if (name === queue) report({ kind: 'job', job: { id, tenant, phase: 'unknown', reason } });
  };
  subscribe('promptwire:queue:end', ended);
  subscribe('promptwire:queue:unknown', unknown);
  return () => {
    unsubscribe('promptwire:queue:end', ended);
    unsubscribe('promptwire:queue:unknown', unknown);
  };
};
