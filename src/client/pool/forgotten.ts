import type { Client } from '../client-types.js';
import type { Clock } from '../../core/platform/platform.js';
import {
  combineLatest,
  connect,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  from,
  map,
  merge,
  type Observable,
  skipWhile,
  switchMap,
  take,
  takeWhile,
} from 'rxjs';
import * as E from '../../core/protocol/either.js';
import { endedAs } from '../../core/state/ended-as.js';
import { isTerminal, type JobState } from '../../core/state/job-state.js';
import { timerOn } from '../../core/platform/timer.js';

/** A server that may be restarted while it has a job. */
export interface RestartedServer {
  readonly client: Pick<Client, 'rest' | 'connection'>;
  /** Whether it is down: now, and each change. */
  readonly isDown: Observable<boolean>;
}

/** The states of a job; the last one is `untraceable` where its server was restarted without it. */
export const untilForgotten = (
  states: Observable<JobState>,
  server: RestartedServer,
  promptId: string,
  clock: Pick<Clock, 'after'>,
): Observable<JobState> =>
  states.pipe(
    connect((shared) => {
      const lost = combineLatest([shared, forgotten(server, promptId, clock)]).pipe(
        take(1),
        map(([state]) => (isTerminal(state.phase) ? state : endedAs(state, 'untraceable'))),
      );
      return merge(shared, lost);
    }),
    takeWhile(({ phase }) => !isTerminal(phase), true),
  );

/** One look alone proves nothing (docs/protocol.md, chapter 11). */
const againMs = 2_000;

/**
 * Emits once, and completes, when a server that was away is back and has forgotten a job: it was restarted, and the id is in neither its
 * queue nor its history, twice in a row. A client that waits for the job would take half a minute to be as certain.
 *
 * It was away where it was down, or where its socket broke: calls are repeated, so a quick restart shows in the socket alone.
 */
const forgotten = (
  { isDown, client: { rest, connection } }: RestartedServer,
  promptId: string,
  clock: Pick<Clock, 'after'>,
): Observable<unknown> => {
  const missing = defer(() => from(rest.jobStatus(promptId)())).pipe(
    filter((answer) => E.isLeft(answer) && answer.left._tag === 'NotFound'),
  );
  const missingTwice = missing.pipe(
    switchMap(() => timerOn(clock, againMs)),
    switchMap(() => missing),
  );
  const isCut = connection.pipe(
    filter(({ _tag }) => _tag === 'waiting' || _tag === 'open'),
    map(({ _tag }) => _tag === 'waiting'),
    distinctUntilChanged(),
  );
  const onceBack = (isAway: Observable<boolean>): Observable<unknown> =>
    isAway.pipe(
      skipWhile((is) => !is),
      switchMap((is) => (is ? EMPTY : missingTwice)),
    );
  return merge(onceBack(isDown), onceBack(isCut)).pipe(take(1));
};
