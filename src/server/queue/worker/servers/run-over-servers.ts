import {
  catchError,
  concat,
  defer,
  EMPTY,
  exhaustMap,
  filter,
  firstValueFrom,
  ignoreElements,
  merge,
  of,
  startWith,
  Subject,
  switchMap,
  tap,
} from 'rxjs';
import { exhaustMapWithTrailing } from '../../../../core/interop/exhaust-map-with-trailing.js';
import { giveUpJobs, settleGivenUp } from './give-up.js';
import type { PlacedJob } from '../../servers/server-store.js';
import type { ServersRunnerOptions } from './servers-runner.js';
import { intervalOn, timerOn } from '../../../../core/platform/timer.js';
import { takeJobs } from './take-jobs.js';

/** What runs the jobs of a worker over servers. */
export interface ServersRunner {
  /** How many jobs run here. */
  readonly running: () => number;
  /** Takes no more, and resolves once none runs here; other workers hear of its servers no more then. */
  readonly close: () => Promise<void>;
}

/** How often a worker asks a queue where nothing waits and none runs, and how long it counts as alive then, in milliseconds. */
const [restingEveryMs, restingAliveMs] = [5_000, 15_000];
/** How often per lock time a worker asks a queue with jobs. */
const roundsPerLock = 8;
/** The shortest time between two rounds, in milliseconds: one round sees all that happens meanwhile. */
const apartMs = 20;
/** How many waiting jobs a round reads, and how many if servers with room find no job among the first. */
const [usualJobs, maxJobs] = [64, 4_096];
/** How often servers are asked what became of copies that were given up, in milliseconds. */
const lateEveryMs = 5_000;

/**
 * Runs jobs of a queue on the servers that this worker brings, until it is closed.
 *
 * A round keeps the worker alive for `lockMs`, tells the others of its servers, and shows all servers and the first waiting jobs; from these
 * each worker makes the same choice, and takes what goes to its own servers. The step that takes a job counts the slots of its server. The
 * jobs of a worker that has died wait again, and one that its server may have goes only to a worker that reaches that one.
 */
export const runOverServers = (options: ServersRunnerOptions): ServersRunner => {
  const { worker, lockMs, servers, reached, notifications, rules, times, clock, tellThrown } = options;
  const { giveUpAfterMs = Infinity } = rules;
  const running = new Map<string, AbortController>();
  const asks = new Subject<void>();
  const closed = new Subject<void>();
  const state = { isClosing: false, most: usualJobs, runsAt: '0', round: Promise.resolve(false) };
  const beganAt = clock.now();

  const start = (job: PlacedJob, reason?: string): void => {
    const lost = new AbortController();
    running.set(job.id, lost);
    void options.run(job, lost.signal, reason).finally(() => {
      if (running.get(job.id) === lost) running.delete(job.id);
      if (running.size === 0) closed.next();
      asks.next();
    });
  };
  const hasRoom = (): boolean => running.size < (options.concurrency ?? Infinity);

  /** Gives whether the queue has jobs. */
  const takeRound = async (): Promise<boolean> => {
    const { runs, position } = await servers.runsAfter(state.runsAt);
    state.runsAt = position;
    for (const { server, ms, modelsBefore, ...work } of runs)
      times.learn(server, { ...work, classes: [], needs: '' }, modelsBefore, ms);
    const before = [...running];
    const aliveMs = before.length > 0 ? lockMs : Math.max(lockMs, restingAliveMs);
    const most = state.isClosing ? 0 : state.most;
    const ids = before.map(([id]) => id);
    const snapshot = await servers.snapshot(worker, aliveMs, report(), most, ids);
    const own = new Set(snapshot.own);
    for (const [id, lost] of before) if (!own.has(id)) lost.abort();
    await giveUpJobs(servers, snapshot, giveUpAfterMs, clock.wall());
    if (!state.isClosing) {
      // Workers that start together know of each other's servers by then.
      const refuses = clock.now() - beganAt >= lockMs;
      const own = await takeJobs(snapshot, { ...options, hasRoom, refuses, start });
      const isShort = own === 0 && snapshot.waiting > snapshot.first.length;
      state.most = isShort ? Math.min(maxJobs, state.most * 8) : usualJobs;
    }
    return (
      snapshot.waiting > 0 || [...snapshot.servers.values()].some(({ uses, open }) => uses.length + open > 0)
    );
  };
  const report = (): string =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(reached.report()).map(([name, one]) => [
          name,
          state.isClosing ? { ...one, takes: false } : one,
        ]),
      ),
    );

  const spaced = (round: typeof takeRound) =>
    concat(
      defer(() => (state.round = round())).pipe(
        catchError((cause: unknown) => {
          tellThrown('The worker could not take jobs, and tries it again', cause);
          return of(true);
        }),
      ),
      timerOn(clock, apartMs).pipe(ignoreElements()),
    );
  const rounds = merge(
    notifications.changed,
    notifications.resumed,
    notifications.missed,
    reached.changes,
    asks,
  )
    .pipe(
      startWith(undefined),
      exhaustMapWithTrailing(() => spaced(takeRound)),
      switchMap((isBusy) => timerOn(clock, isBusy ? lockMs / roundsPerLock : restingEveryMs)),
      tap(() => asks.next()),
    )
    .subscribe();
  const settlingLate = intervalOn(clock, lateEveryMs)
    .pipe(
      exhaustMap(() =>
        defer(() => settleLate(options)).pipe(
          catchError((cause: unknown) => {
            tellThrown('The worker could not ask for the ends of jobs that were given up', cause);
            return EMPTY;
          }),
        ),
      ),
    )
    .subscribe();

  return {
    running: () => running.size,
    close: async () => {
      state.isClosing = true;
      settlingLate.unsubscribe();
      if (running.size > 0)
        await firstValueFrom(closed.pipe(filter(() => running.size === 0)), { defaultValue: undefined });
      rounds.unsubscribe();
      // A round under way would keep the worker alive after it has left.
      await state.round.catch(() => undefined);
      await servers.leave(worker).catch(() => undefined);
    },
  };
};

const settleLate = async ({ servers, reached }: ServersRunnerOptions): Promise<void> => {
  await settleGivenUp(servers, await servers.givenUp(), reached.client);
};
