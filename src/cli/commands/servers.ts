import { Argument, type Command } from 'commander';
import type { CommonFlags, RunCommand, Session } from '../run-command.js';
import type { ExitName } from '../exit-code.js';
import { filter, firstValueFrom, lastValueFrom, map, takeUntil, tap } from 'rxjs';
import { fromAbortSignal } from '../../node.js';
import { openServers, type ServersSource, type ServersSourceFlags } from '../serving/open-servers.js';
import { UsageError } from '../cli-io.js';
import { withConnection } from './common-options.js';
import { withServers } from '../input/server-flags.js';

interface ServersFlags extends CommonFlags, ServersSourceFlags {
  readonly once?: true;
}

const actions = ['show', 'pause', 'resume', 'drain'] as const;

type Action = (typeof actions)[number];

/** Adds `promptwire servers`. */
export const addServers = (program: Command, runCommand: RunCommand): void => {
  withServers(withConnection(program.command('servers')))
    .description(
      'Show what many servers do, until Ctrl-C: state, jobs, memory and models. Behind a gateway, or of a queue, pause, resume and drain one.',
    )
    .addArgument(new Argument('[action]', 'what to do; default show').choices(actions))
    .argument('[server]', 'the name of the server: of pause, resume and drain')
    .option('--once', 'show it once all have answered, and end')
    .option('--gateway <url>', 'the servers behind this gateway, for a caller with the right to see them')
    .option('--gateway-token-file <file>', 'read the token for that gateway from this file')
    .option('--redis <url>', 'the servers of the queue at this Redis server')
    .option('--name <name>', 'name of that queue, default promptwire')
    .action((action: Action | undefined, server: string | undefined, flags: ServersFlags) =>
      runCommand(flags, async (session) => {
        checkArguments(action, server);
        await using source = await openServers(session, flags);
        return action === undefined || action === 'show'
          ? await show(session, source, flags)
          : await change(session, source, action, server ?? '');
      }),
    );
};

const checkArguments = (action: Action | undefined, server: string | undefined): void => {
  const isChange = action !== undefined && action !== 'show';
  if (isChange && server === undefined) throw new UsageError(`servers ${action} takes the name of a server`);
  if (!isChange && server !== undefined)
    throw new UsageError('servers show takes no name: it shows all servers');
};

const show = async (
  session: Session,
  { servers }: ServersSource,
  { once }: Pick<ServersFlags, 'once'>,
): Promise<ExitName> => {
  const { report, stop, enterStage } = session;
  enterStage('serve');
  const shown = servers.pipe(takeUntil(fromAbortSignal(stop)));
  if (once === true) {
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

/** Changes a server, and shows it as it is then; a drained one once it is idle. */
const change = async (
  { report, stop }: Session,
  source: ServersSource,
  action: Exclude<Action, 'show'>,
  name: string,
): Promise<ExitName> => {
  if (source.change === undefined)
    throw new UsageError(
      `plain servers can only be shown, as no one else knows what this command does with them. To ${action} one, name what gives it jobs: ` +
        'the gateway with --gateway URL, or the queue with --redis URL.',
    );
  const stopped = firstValueFrom(fromAbortSignal(stop), { defaultValue: undefined });
  await Promise.race([source.change(name, action), stopped]);
  const changed = source.servers.pipe(
    map((all) => all.filter((server) => server.name === name)),
    filter(([server]) => action !== 'drain' || server === undefined || server.running + server.waiting === 0),
    takeUntil(fromAbortSignal(stop)),
  );
  const servers = await firstValueFrom(changed, { defaultValue: undefined });
  if (servers === undefined) throw new Error('the command was stopped before the server was idle');
  report({ kind: 'servers', servers, isLast: true });
  return 'done';
};
