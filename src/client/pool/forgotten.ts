import type { Clock } from '../../core/platform/platform.js';
import * as E from '../../core/protocol/either.js';
import { defer, EMPTY, filter, from, merge, type Observable, skipWhile, switchMap, take } from 'rxjs';
import type { PooledServer } from './pool-server.js';
import { timerOn } from '../../core/platform/timer.js';

/** One look alone proves nothing (docs/protocol.md, chapter 11). */
const againMs = 2_000;

/**
 * Emits once, and completes, when a server that was away is back and has forgotten a job: it was restarted, and the id is in neither its
 * queue nor its history, twice in a row. A client that waits for the job would take half a minute to be as certain.
 *
 * It was away where it was down, or where its socket broke: calls are repeated, so a quick restart shows in the socket alone.
 */
export const forgotten = (
  { isDown, isCut, client: { rest } }: Pick<PooledServer, 'isDown' | 'isCut' | 'client'>,
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
  const onceBack = (isAway: Observable<boolean>): Observable<unknown> =>
    isAway.pipe(
      skipWhile((is) => !is),
      switchMap((is) => (is ? EMPTY : missingTwice)),
    );
  return merge(onceBack(isDown), onceBack(isCut)).pipe(take(1));
};
