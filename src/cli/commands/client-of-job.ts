import type { Client, ServiceError } from '../../node.js';
import { type CommonFlags, orThrow, type Session } from '../run-command.js';
import type { Either } from 'fp-ts/lib/Either.js';
import { namesServers } from '../input/server-flags.js';
import { tap, timer } from 'rxjs';

/** The client that reaches a job: of many servers that of the one which has it; Left if none knows it. */
export const clientOf = async (
  { connect, pool, stop, report, io }: Session,
  flags: CommonFlags,
  promptId: string,
): Promise<Either<ServiceError, Client>> => {
  if (!namesServers(flags)) return { _tag: 'Right', right: await connect() };
  const servers = await pool();
  const message = `No server knows ${promptId} so far: asking those that are away again.`;
  const note = timer(quietMs, io.scheduler)
    .pipe(tap(() => report({ kind: 'warning', message })))
    .subscribe({ error: () => undefined });
  const server = await servers
    .serverOf(promptId, { signal: stop })()
    .finally(() => note.unsubscribe());
  return server._tag === 'Left' ? server : { _tag: 'Right', right: servers.client(server.right) };
};

/** The time before a warning that servers which are unreachable may have the job. */
const quietMs = 3_000;

/** The client of a command about one job, which is that of the whole session from then on. */
export const clientOfJob = async (
  session: Session,
  flags: CommonFlags,
  promptId: string,
): Promise<Client> => {
  const client = orThrow(await clientOf(session, flags, promptId));
  if (namesServers(flags)) session.useClient(client);
  return client;
};
