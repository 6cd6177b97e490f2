import type { Command } from 'commander';
import type { CommonFlags, RunCommand, Session } from '../run-command.js';
import type { ExitName } from '../exit-code.js';
import { filter, firstValueFrom, lastValueFrom, takeUntil, tap } from 'rxjs';
import { fromAbortSignal } from '../../node.js';
import { namesServers, withServers } from '../input/server-flags.js';
import { UsageError } from '../cli-io.js';
import { withConnection } from './common-options.js';

interface ServersFlags extends CommonFlags {
  readonly once?: true;
}

/** Adds `promptwire servers`. */
export const addServers = (program: Command, runCommand: RunCommand): void => {
  withServers(withConnection(program.command('servers')))
    .description('Show what many servers do, until Ctrl-C: state, jobs, memory and models.')
    .option('--once', 'show it once all have answered, and end')
    .action((flags: ServersFlags) => runCommand(flags, (session) => show(session, flags)));
};

const show = async (session: Session, flags: ServersFlags): Promise<ExitName> => {
  if (!namesServers(flags))
    throw new UsageError('no servers are named: give each with --server URL, or all with --servers FILE');
  const { report, stop, pool, enterStage } = session;
  const { servers } = await pool({ keepsFrames: false });
  enterStage('serve');
  const shown = servers.pipe(takeUntil(fromAbortSignal(stop)));
  if (flags.once === true) {
    const known = shown.pipe(filter((all) => all.every(({ health }) => health !== 'unknown')));
    const last = await firstValueFrom(known, { defaultValue: [] });
    if (stop.aborted) throw new Error('the command was stopped before all servers answered');
    report({ kind: 'servers', servers: last, isLast: true });
    return 'done';
  }
  await lastValueFrom(shown.pipe(tap((all) => report({ kind: 'servers', servers: all }))), {
    defaultValue: undefined,
  });
  return 'done';
};
