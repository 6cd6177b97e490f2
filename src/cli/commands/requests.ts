import type { Command } from 'commander';
import { type CommonFlags, orThrow, type RunCommand, type Session } from '../run-command.js';
import type { ExitName } from '../exit-code.js';
import type { Client, ObjectInfo, Queue } from '../../node.js';
import { firstValueFrom } from 'rxjs';
import { namesServers, type ServerFlags, withServers } from '../input/server-flags.js';
import { withConnection } from './common-options.js';

/** Adds `promptwire status`. */
export const addStatus = (program: Command, runCommand: RunCommand): void => {
  withConnection(program.command('status'))
    .description("Print the state of a job, and the service's own word in brackets where it differs.")
    .argument('<id>', 'prompt id of the job')
    .action((promptId: string, flags: CommonFlags) =>
      runCommand(flags, async ({ connect, report, stop }) => {
        const { rest } = await connect();
        const status = orThrow(await rest.jobStatus(promptId, { signal: stop })());
        report({ kind: 'status', status });
        if (status.failure) report({ kind: 'failure', promptId, failure: status.failure });
        return 'done';
      }),
    );
};

/** Adds `promptwire queue`. */
export const addQueue = (program: Command, runCommand: RunCommand): void => {
  withServers(withConnection(program.command('queue')))
    .description('Print the jobs of the account, or of each server, that run and that wait.')
    .action((flags: CommonFlags & ServerFlags) =>
      runCommand(flags, async (session) => {
        if (namesServers(flags)) return queuesOf(session);
        const { rest } = await session.connect();
        session.report({ kind: 'queue', queue: await queueOf(session, rest) });
        return 'done';
      }),
    );
};

/** The queue of each server; ends with the error of the first that does not answer, once the others are shown. */
const queuesOf = async (session: Session): Promise<ExitName> => {
  const pool = await session.pool({ keepsFrames: false });
  const servers = await firstValueFrom(pool.servers, { defaultValue: [] });
  const asked = await Promise.all(
    servers.map(async ({ name }) => ({
      server: name,
      answer: await pool.client(name).rest.queue({ signal: session.stop, workflow: false })(),
    })),
  );
  for (const { server, answer } of asked)
    if (answer._tag === 'Right') session.report({ kind: 'queue', queue: answer.right, server });
  for (const { answer } of asked) orThrow(answer);
  return 'done';
};

const queueOf = async ({ stop }: Session, rest: Client['rest']): Promise<Queue> =>
  orThrow(await rest.queue({ signal: stop, workflow: false })());

/** Adds `promptwire user`. */
export const addUser = (program: Command, runCommand: RunCommand): void => {
  withConnection(program.command('user'))
    .description('Print whom the key belongs to: the quickest way to see whether it works.')
    .action((flags: CommonFlags) =>
      runCommand(flags, async ({ connect, report, stop }) => {
        const { rest } = await connect();
        report({ kind: 'user', user: orThrow(await rest.user({ signal: stop })()) });
        return 'done';
      }),
    );
};

/** Adds `promptwire interrupt`, the only command that ends jobs without their ids. */
export const addInterrupt = (program: Command, runCommand: RunCommand): void => {
  withConnection(program.command('interrupt'))
    .description(
      'End all running jobs of the whole account, also those of other programs. To end one job: cancel ID.',
    )
    .action((flags: CommonFlags) =>
      runCommand(flags, async ({ connect, report, stop }) => {
        const { rest } = await connect();
        orThrow(await rest.interrupt({ signal: stop })());
        report({ kind: 'interrupted' });
        return 'done';
      }),
    );
};

/** Adds `promptwire nodes`. */
export const addNodes = (program: Command, runCommand: RunCommand): void => {
  withConnection(program.command('nodes'))
    .description(
      'Print the names of all node classes of the service, or one class with its inputs and outputs.',
    )
    .argument('[class]', 'name of a node class')
    .action((nodeClass: string | undefined, flags: CommonFlags) =>
      runCommand(flags, async (session) => {
        const { rest } = await session.connect();
        const info = orThrow(await rest.objectInfo({ signal: session.stop })());
        return nodeClass === undefined ? listAll(session, info) : showOne(session, info, nodeClass);
      }),
    );
};

const listAll = ({ report }: Session, classes: ObjectInfo): ExitName => {
  const sorted = Object.entries(classes).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, info] of sorted) report({ kind: 'nodeClass', name, info, whole: false });
  return 'done';
};

const showOne = ({ report }: Session, classes: ObjectInfo, name: string): ExitName => {
  const info = Object.hasOwn(classes, name) ? classes[name] : undefined;
  if (info !== undefined) {
    report({ kind: 'nodeClass', name, info, whole: true });
    return 'done';
  }
  const alike = Object.keys(classes).filter((known) => known.toLowerCase().includes(name.toLowerCase()));
  const advice = alike.length > 0 ? `; there is ${alike.slice(0, 5).join(', ')}` : '';
  report({ kind: 'error', error: new UnknownClass(`the service has no node class ${name}${advice}`) });
  return 'untraceable';
};

class UnknownClass extends Error {
  override readonly name = 'UnknownClass';
}
