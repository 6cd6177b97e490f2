import { checkPoolOptions } from './check-pool-options.js';
import type { Client } from '../client-types.js';
import type { ClientOptions } from '../client-options.js';
import { defer, map, ReplaySubject, takeUntil, tap } from 'rxjs';
import { dispatcher } from './dispatcher.js';
import { earliestEnd } from './placement.js';
import { firstAccepted, starter } from './start.js';
import { fromAbortSignal } from '../../core/interop/from-abort-signal.js';
import { jobServers } from './job-servers.js';
import { lazyGenerate } from '../../generate/lazy-generate.js';
import { onAbort } from '../../core/interop/on-abort.js';
import { openWork } from '../jobs/job-context.js';
import type { Platform } from '../../core/platform/platform.js';
import { poolActivity } from './activity.js';
import { poolJob } from './pool-job.js';
import { poolFiles } from './pool-files.js';
import type { PooledServer } from './pool-server.js';
import { poolServers } from './pool-servers.js';
import type { Pool, PoolOptions } from './pool-types.js';
import { routedCalls } from './routed-calls.js';
import { runAll } from '../jobs/run-all.js';
import { runTimes } from './run-times.js';
import { serviceError } from '../../core/errors/service-error.js';
import { stopsOf } from './stops-of.js';

/** Makes a pool over the clients that `open` makes, on the clock of a platform. */
export const createPoolOn = (
  open: (options: ClientOptions) => Client,
  { clock, uuid, files: disk }: Pick<Platform, 'clock' | 'uuid'> & Partial<Pick<Platform, 'files'>>,
  options: PoolOptions,
): Pool => {
  checkPoolOptions(options);
  const { placement = earliestEnd, rules = {}, signal, logger } = options;
  const times = runTimes();
  const work = openWork();
  const activity = poolActivity();
  const servers = poolServers({ open, clock, activity, speedOf: times.speedOf, logger });
  const places = dispatcher({ clock, placement, rules, servers: servers.all, times });
  const owners = jobServers(servers.all, clock);
  const files = poolFiles(servers.all);
  const closed = new ReplaySubject<void>(1);
  const start = starter({
    context: {
      ...{ clock, uuid, rules, times, files, servers: servers.all, dispatcher: places },
      noteJob: owners.note,
      wake: places.wake,
    },
    ...{ work, activity, closed },
  });
  const waking = servers.changes.pipe(tap(places.wake)).subscribe();
  for (const server of options.servers) servers.add(server);

  const close = async (): Promise<void> => {
    stopListening();
    closed.next();
    waking.unsubscribe();
    places.close();
    await servers.close();
  };
  const stopListening = onAbort(signal, () => void close());
  if (signal?.aborted === true) void close();

  const run: Pool['run'] = (workflow, { onUnsubscribe, signal: ended, ...runOptions } = {}) =>
    defer(() => {
      const { life, states } = start(workflow, runOptions);
      const job = poolJob(life, states);
      // What waits was not sent; what a server has goes on, unless the program wants it otherwise.
      const leave = (): void => {
        if (!job.withdraw() && onUnsubscribe === 'cancel') void job.cancel()();
      };
      const aborted = fromAbortSignal(ended).pipe(
        map((): never => {
          throw serviceError('Aborted', {
            sent: life.isGiven.value,
            promptId: life.accepted.value?.job.promptId,
            cause: ended?.reason,
          });
        }),
      );
      return states.pipe(tap({ unsubscribe: leave }), takeUntil(aborted));
    });

  const routed = routedCalls(servers, owners);
  return {
    frames: servers.each(({ client, name }) =>
      client.frames.pipe(map((frame) => ({ ...frame, server: name }))),
    ),
    servers: servers.shown,
    stops: stopsOf(servers),
    submit:
      (workflow, submitOptions = {}) =>
      () =>
        firstAccepted(start(workflow, submitOptions)),
    start: (workflow, startOptions = {}) => {
      const { life, states } = start(workflow, startOptions);
      return poolJob(life, states);
    },
    upload: files.upload,
    viewUpload: files.view,
    uploadMask: files.uploadMask,
    run,
    runAll: (workflows, { concurrency = roomFor(servers.all.values()), label, drain, ...more } = {}) =>
      runAll((workflow, call) => run(workflow, { ...more, ...call }), work, workflows, {
        concurrency,
        label,
        drain,
      }) as ReturnType<Pool['runAll']>,
    ...routed,
    generate: lazyGenerate(async () => {
      const { poolGenerate } = await import('./pool-generate.js');
      return poolGenerate(servers, { ...routed, ...work, run, note: files.note }, { files: disk, uuid });
    }) as Pool['generate'],
    addServer: servers.add,
    removeServer: servers.remove,
    pauseServer: (name) => servers.setMode(name, 'paused'),
    resumeServer: (name) => {
      servers.setMode(name, 'active');
      servers.get(name).update((state) => ({ ...state, trustedAt: 0 }));
    },
    drainServer: async (name) => {
      servers.setMode(name, 'draining');
      await servers.emptied(name);
    },
    client: (name) => servers.get(name).client,
    drain: work.drain,
    close,
    [Symbol.asyncDispose]: close,
  };
};

/** How many workflows are taken at a time: as many as the servers hold, and some to choose from. */
const roomFor = (servers: Iterable<PooledServer>): number =>
  [...servers].reduce((all, { slots, ahead }) => all + slots + ahead, toChooseFrom);

const toChooseFrom = 64;
