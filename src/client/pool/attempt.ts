import {
  catchError,
  concatMap,
  filter,
  finalize,
  map,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  of,
  switchMap,
  takeWhile,
  tap,
  throwError,
} from 'rxjs';
import { afterEnd, afterRefusal, type Again, rerunsLost } from './again.js';
import { began, busyFor, released } from './server-state.js';
import { isAllCached } from '../../core/state/is-all-cached.js';
import { isServiceError } from '../../core/errors/service-error.js';
import { isTerminal, type JobState } from '../../core/state/job-state.js';
import type { Job } from '../jobs/job-handle.js';
import type { JobLife } from './job-life.js';
import { probe } from './health.js';
import type { PoolContext } from './pool-context.js';
import type { PooledServer } from './pool-server.js';
import type { PoolJobState } from './pool-types.js';
import type { PoolPlace } from './start-options.js';
import { resumed } from './resumed.js';
import { submitted } from './submitted.js';
import { timerOn } from '../../core/platform/timer.js';
import { untilForgotten } from './forgotten.js';
import { withFailure, withSuccess } from './failing.js';

/** What one submission of a job emits: its states, and at the end perhaps that the job has to be submitted again. */
export type Attempt = { readonly _tag: 'state'; readonly state: PoolJobState } | Again;

/** Submits a job to the server that holds it, and follows it there; at the end the server no longer holds it. */
export const attemptOn = (
  context: PoolContext,
  life: JobLife,
  server: PooledServer,
  attempt: number,
  resume?: PoolPlace,
): Observable<Attempt> => {
  const { clock, wake } = context;
  const step = (state: JobState): Attempt => {
    if (state.phase === 'in_progress') server.update((known) => began(known, life.number, clock.now()));
    const shown: PoolJobState = { ...state, server: server.name, attempt };
    if (!isTerminal(state.phase)) return { _tag: 'state', state: shown };
    learn(context, life, server, state);
    return afterEnd(context, life, server, shown) ?? { _tag: 'state', state: shown };
  };
  const accepted =
    resume === undefined ? submitted(context, life, server, attempt) : resumed(context, life, server, resume);
  return accepted.pipe(
    mergeMap((job) =>
      untilGivenUp(context, life, server, job, statesAt(context, server, job).pipe(map(step))),
    ),
    catchError((error: unknown) => {
      const next = isServiceError(error) ? afterRefusal(life, server, error) : undefined;
      if (next === undefined) return throwError(() => error);
      if (next.pauseMs !== undefined)
        server.update((known) => busyFor(known, next.pauseMs ?? 0, clock.now()));
      if (next.suspects) server.suspect();
      return of(next);
    }),
    takeWhile(({ _tag }) => _tag === 'state', true),
    // Before the next attempt begins, so that its place is free.
    concatMap((next) => {
      if (next._tag === 'again') release(context, life, server);
      return of(next);
    }),
    finalize(() => {
      release(context, life, server);
      wake();
    }),
  );
};

const release = ({ wake }: PoolContext, { number }: JobLife, server: PooledServer): void => {
  if (!server.state().held.has(number)) return;
  server.update((known) => released(known, number));
  wake();
};

/** A run that costs money is not repeated: only the client of the server may say that it is lost. */
const statesAt = (
  { clock }: PoolContext,
  server: PooledServer,
  { promptId, states }: Job,
): Observable<JobState> => (server.rerunsLost ? untilForgotten(states, server, promptId, clock) : states);

/** The attempt, until its server was unreachable for too long: then the job is followed no more, and its end is only counted. */
const untilGivenUp = (
  { clock, rules }: PoolContext,
  life: JobLife,
  server: PooledServer,
  job: Job,
  attempt: Observable<Attempt>,
): Observable<Attempt> => {
  const { giveUpAfterMs = Infinity } = rules;
  if (!rerunsLost(rules, server) || giveUpAfterMs === Infinity) return attempt;
  const tooLong = server.isDown.pipe(
    switchMap((isDown) => (isDown ? timerOn(clock, giveUpAfterMs) : NEVER)),
    // It may have come back since it was asked last.
    switchMap(() => probe(server.client)),
    filter(({ isUp }) => !isUp),
    mergeMap((): Observable<Attempt> => {
      if (life.isCancelled.value) return NEVER;
      countLateEnd(server, job);
      server.update((known) => ({ ...known, lost: known.lost + 1 }));
      return of({ _tag: 'again', isNew: true, suspects: false });
    }),
  );
  return merge(attempt, tooLong).pipe(
    takeWhile((next) => next._tag === 'state' && !isTerminal(next.state.phase), true),
  );
};

/** A copy that was given up may end after all. */
const countLateEnd = (server: PooledServer, job: Job): void => {
  const note = ({ phase }: JobState): void => {
    if (phase !== 'untraceable') server.update((known) => ({ ...known, lateEnds: known.lateEnds + 1 }));
  };
  job.states
    .pipe(
      filter(({ phase }) => isTerminal(phase)),
      tap(note),
    )
    .subscribe({ error: () => undefined });
};

/** What a completed run took; one whose nodes were all cached took nothing. */
const learn = (
  { clock, times }: PoolContext,
  { number, work }: JobLife,
  server: PooledServer,
  end: JobState,
): void => {
  const held = server.state().held.get(number);
  if (end.phase === 'completed')
    server.update((known) => ({
      ...known,
      failing: withSuccess(known.failing, work.shape),
      done: known.done + 1,
    }));
  if (end.phase === 'failed')
    server.update((known) => ({
      ...known,
      failing: withFailure(known.failing, work.shape, clock.now()),
      failed: known.failed + 1,
    }));
  if (end.phase !== 'completed' || held?.startedAt === undefined || isAllCached(end)) return;
  times.learn(server.name, work, held.modelsBefore, clock.now() - held.startedAt);
};
