import {
  catchError,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  firstValueFrom,
  map,
  merge,
  type Observable,
  of,
  repeat,
  throttle,
} from 'rxjs';
import { exhaustMapWithTrailing } from '../../../core/interop/exhaust-map-with-trailing.js';
import { intervalOn, timerOn } from '../../../core/platform/timer.js';
import type { JobQueue } from './job-queue.js';
import type { OpenQueue } from './open-queue.js';
import { type QueueServer, shownServer } from '../servers/shown-servers.js';
import { type ServerStore, serverStore } from '../servers/server-store.js';
import { serviceError } from '../../../core/errors/service-error.js';

/** The shortest and the longest time between two reads of the servers while they are watched, in milliseconds. */
const [soonestMs, latestMs] = [200, 1_000];

/** Watches the servers of a queue; never completes, and what can't be read now is read later. Errors with `NotSupported` for an account. */
export const serversOf = (queue: OpenQueue, name: string): Observable<readonly QueueServer[]> =>
  defer(() => {
    const store = storeOf(queue, name);
    const { notifications, clock } = queue;
    return merge(
      of(undefined),
      notifications.changed,
      notifications.resumed,
      notifications.missed,
      intervalOn(clock, latestMs),
    ).pipe(
      throttle(() => timerOn(clock, soonestMs), { leading: true, trailing: true }),
      exhaustMapWithTrailing(() => defer(() => shown(store)).pipe(catchError(() => EMPTY))),
      distinctUntilChanged((one, other) => JSON.stringify(one) === JSON.stringify(other)),
    );
  });

/** The calls of a queue that concern one of its servers. */
export const serverControls = (
  open: () => Promise<OpenQueue>,
  name: string,
): Pick<JobQueue, 'pauseServer' | 'resumeServer' | 'drainServer'> => {
  const known = async (server: string): Promise<{ store: ServerStore; queue: OpenQueue }> => {
    const queue = await open();
    const store = storeOf(queue, name);
    const names = (await shown(store)).map((one) => one.name);
    if (!names.includes(server)) throw unknownServer(server, names);
    return { store, queue };
  };
  return {
    pauseServer: async (server, reason) => (await known(server)).store.setMode(server, 'paused', reason),
    resumeServer: async (server) => (await known(server)).store.setMode(server, undefined),
    drainServer: async (server) => {
      const { store, queue } = await known(server);
      await store.setMode(server, 'draining');
      const empty = defer(() => shown(store)).pipe(
        repeat({ delay: () => timerOn(queue.clock, soonestMs) }),
        map((all) => all.find((one) => one.name === server)?.running ?? 0),
        filter((running) => running === 0),
      );
      await firstValueFrom(empty, { defaultValue: 0 });
    },
  };
};

const shown = async (store: ServerStore): Promise<readonly QueueServer[]> =>
  [...(await store.servers()).servers.values()]
    .map(shownServer)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));

const storeOf = ({ kind, redis, time, mended }: OpenQueue, name: string): ServerStore => {
  if (kind === 'servers') return mended(serverStore({ redis, name, time }));
  throw serviceError('NotSupported', {
    message: `The queue ${name} is over an account, which has no servers.`,
    hint: "Open a queue over servers: createJobQueue({ over: 'servers' }), and workers with a pool.",
  });
};

const unknownServer = (server: string, names: readonly string[]): Error =>
  serviceError('InvalidConfig', {
    option: 'server',
    message: `The queue has no server ${server}.`,
    hint: names.length === 0 ? 'No worker has brought one yet.' : `Its servers are ${names.join(', ')}.`,
  });
