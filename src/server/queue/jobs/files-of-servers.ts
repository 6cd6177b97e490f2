import type { Client } from '../../../client/client-types.js';
import { filter, firstValueFrom, map } from 'rxjs';
import { nameInQueue } from '../servers/name-in-queue.js';
import { serviceError } from '../../../core/errors/service-error.js';
import type { WorkerPool } from '../options.js';

/** The client of the server that ran a job, by its name in the queue; rejects with `InvalidConfig` where the pool has none of it. */
export const clientOfServer = async (
  { servers, client }: WorkerPool,
  server: string | undefined,
): Promise<Client> => {
  const all = await firstValueFrom(servers, { defaultValue: [] });
  const found = all.find((one) => nameInQueue(one) === server);
  if (found !== undefined) return client(found.name);
  throw serviceError('InvalidConfig', {
    option: 'pool',
    message: `The pool of this queue has no server ${server ?? 'of the job, which none has run'}.`,
    hint: 'Give createJobQueue a pool of all servers of the queue, with the names that its workers give them.',
  });
};

/** The client of the first server of a pool that is there: waits until one is; rejects with `Closed` where the pool ends before. */
export const clientOfAny = async ({ servers, client }: WorkerPool): Promise<Client> => {
  const isUp = servers.pipe(
    map((all) => all.find(({ health }) => health === 'up')),
    filter((one) => one !== undefined),
  );
  const found = await firstValueFrom(isUp, { defaultValue: undefined });
  if (found !== undefined) return client(found.name);
  throw serviceError('Closed', { message: 'The pool of this queue is closed.' });
};
