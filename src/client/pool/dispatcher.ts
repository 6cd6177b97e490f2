import { asapScheduler, EMPTY, exhaustMap, Observable, Subject, switchMap, tap, timer } from 'rxjs';
import { assign } from './assign.js';
import type { Clock } from '../../core/platform/platform.js';
import { gave, workMsOf } from './server-state.js';
import { isFailing, preferred } from './failing.js';
import type { Placement } from './placement.js';
import { outlookOf } from './outlook.js';
import { type PooledServer, roomIn } from './pool-server.js';
import type { PoolRules } from './pool-types.js';
import type { RunTimes } from './run-times.js';
import { serviceError } from '../../core/errors/service-error.js';
import { intervalOn, timerOn } from '../../core/platform/timer.js';
import { type WaitingGroup, type WaitingJob, waitingJobs } from './waiting-jobs.js';

/** News for a waiting job: what it waits for, if not for its turn; at last the server that has a place for it. */
export type Placed =
  | { readonly _tag: 'waits'; readonly reason: string | undefined }
  /** No server takes it at once. */
  | { readonly _tag: 'stays' }
  | { readonly _tag: 'given'; readonly server: PooledServer };

/** A job that needs a server. */
export type WantedPlace = Pick<WaitingJob, 'number' | 'workflow' | 'work' | 'tags' | 'excluded' | 'attempt'>;

/** Where the jobs of a pool wait. */
export interface Dispatcher {
  /**
   * Lets a job wait for a server; emits the server at last, which holds the job from then on, and completes. Errors where no server can run
   * it. Unsubscribing takes it back.
   */
  readonly place: (job: WantedPlace) => Observable<Placed>;
  /** Looks for places, once for everything that happens in one turn. */
  readonly wake: () => void;
  readonly waiting: () => number;
  readonly close: () => void;
}

/** The servers, the clock and the placement of a {@link dispatcher}. */
export interface DispatcherOptions {
  readonly clock: Clock;
  readonly placement: Placement;
  readonly rules: Pick<PoolRules, 'waitForServersMs'>;
  readonly servers: ReadonlyMap<string, PooledServer>;
  readonly times: RunTimes;
}

/** How often places are looked for at least while jobs wait, in milliseconds: an expected end may have passed. */
const everyMs = 1_000;

/** Keeps jobs until a server has a place for them. */
export const dispatcher = (options: DispatcherOptions): Dispatcher => {
  const { clock, rules, servers, times } = options;
  const jobs = waitingJobs();
  const wakes = new Subject<void>();
  const wake = (): void => wakes.next();
  const give = (job: WaitingJob, name: string): void => {
    const server = servers.get(name);
    if (server === undefined) return;
    jobs.remove(job);
    const expectedMs = times.runMs(name, job.work) + times.loadMs(name, job.work, server.state().models);
    server.update((state) => gave(state, job.number, { work: job.work, expectedMs }));
    job.give(server);
  };
  const dispatch = (): void => {
    const judged = jobs.groups().filter((group) => judge(group, servers, wake));
    const broken: (readonly [WaitingJob, unknown])[] = [];
    const threw = (job: WaitingJob, cause: unknown): void => void broken.push([job, cause]);
    for (const [job, name] of assignments(jobs.groups(), options, threw)) give(job, name);
    for (const [job, cause] of broken) job.refuse(serviceError('Defect', { cause }));
    for (const { stay } of judged) stay();
  };
  const dispatching = wakes
    .pipe(
      exhaustMap(() => timer(0, asapScheduler)),
      tap(dispatch),
      switchMap(() => (jobs.size() > 0 ? timerOn(clock, everyMs) : EMPTY)),
      tap(wake),
    )
    .subscribe();

  const { waitForServersMs = Infinity } = rules;
  const endIfAway = (job: WaitingJob): void => {
    const outlook = outlookOf(job, servers.values());
    if (outlook._tag === 'away' && outlook.reason !== undefined)
      job.refuse(allAway(waitForServersMs, outlook.reason));
  };
  return {
    place: (wanted) =>
      new Observable((subscriber) => {
        const job: WaitingJob = {
          ...wanted,
          since: clock.now(),
          give: (server) => {
            subscriber.next({ _tag: 'given', server });
            subscriber.complete();
          },
          tell: (reason) => subscriber.next({ _tag: 'waits', reason }),
          stay: () => subscriber.next({ _tag: 'stays' }),
          refuse: (error) => subscriber.error(error),
        };
        jobs.add(job);
        subscriber.add(() => jobs.remove(job));
        if (waitForServersMs < Infinity)
          subscriber.add(
            intervalOn(clock, waitForServersMs)
              .pipe(tap(() => endIfAway(job)))
              .subscribe(),
          );
        wake();
      }),
    wake,
    waiting: jobs.size,
    close: () => dispatching.unsubscribe(),
  };
};

/**
 * Ends the waiting of jobs that no server can run, tells others why they wait, and asks the servers that may run them. Returns whether it
 * is known that some server can run them, or that all such servers are unreachable.
 */
const judge = (
  { sample, jobs, tell }: WaitingGroup,
  servers: ReadonlyMap<string, PooledServer>,
  wake: () => void,
): boolean => {
  // Models are added at any time: a refusal is believed while it is fresh.
  const before = outlookOf(sample, servers.values());
  if (before._tag === 'impossible') for (const { can } of servers.values()) can.forgetRefusals();
  const outlook = outlookOf(sample, servers.values());
  if (outlook._tag === 'impossible') {
    for (const job of [...jobs]) job.refuse(outlook.error);
    return false;
  }
  tell(outlook._tag === 'away' ? outlook.reason : undefined);
  for (const { can, state, suspect } of outlook.unknown) {
    if (state().health !== 'up') continue;
    // One that gives no answer is asked again with the next look, and not before it was seen to be there.
    void can.learn(sample.work, sample.workflow).then((isKnown) => (isKnown ? wake() : suspect()));
  }
  return outlook._tag === 'able' || outlook.reason !== undefined;
};

/** What can be given now. */
const assignments = (
  groups: readonly WaitingGroup[],
  { clock, placement, servers, times }: DispatcherOptions,
  threw: (job: WaitingJob, cause: unknown) => void,
): readonly (readonly [job: WaitingJob, server: string])[] => {
  const now = clock.now();
  const assignable = [...servers.values()]
    .filter(({ state }) => state().health === 'up' && state().mode === 'active')
    .map((server) => ({
      name: server.name,
      slots: server.slots,
      room: roomIn(server, now),
      workMs: workMsOf(server.state(), server.slots, now),
      models: server.state().models,
    }));
  const ableFor = (job: WaitingJob): ReadonlySet<string> => {
    const outlook = outlookOf(job, servers.values());
    return new Set((outlook._tag === 'able' ? outlook.able : []).map(({ name }) => name));
  };
  const fails = (name: string, { work: { shape } }: WaitingJob): boolean =>
    isFailing(servers.get(name)?.state().failing ?? new Map(), shape, now);
  return assign(groups, assignable, {
    placement,
    now,
    ableFor,
    preferredFor: (job, able) => preferred(able, (name) => fails(name, job)),
    runMs: times.runMs,
    loadMs: times.loadMs,
    threw,
  });
};

const allAway = (timeoutMs: number, reason: string): unknown =>
  serviceError('Timeout', {
    timeoutMs,
    sent: false,
    message: `No server that may run the job came back within ${timeoutMs} ms. ${reason}`,
    hint: 'Start one of them, or wait longer with rules.waitForServersMs. Nothing was submitted.',
  });
