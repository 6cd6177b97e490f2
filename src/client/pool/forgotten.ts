import type { Clock } from '../../core/platform/platform.js';
import * as E from '../../core/protocol/either.js';
import { defer, EMPTY, filter, from, type Observable, skipWhile, switchMap, take } from 'rxjs';
import type { PooledServer } from './pool-server.js';
import { timerOn } from '../../core/platform/timer.js';

/** One look alone proves nothing (docs/protocol.md, chapter 11). */
const againMs = 2_000;

/**
 * Emits once, and completes, when a server that was down is up again and has forgotten a job: it was restarted, and the id is in neither its
 * queue nor its history, twice in a row. A client that waits for the job would take half a minute to be as certain.
 */
export const forgotten = (
  { isDown, client: { rest } }: Pick<PooledServer, 'isDown' | 'client'>,
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
  return isDown.pipe(
    skipWhile((is) => !is),
    switchMap((is) => (is ? EMPTY : missingTwice)),
    take(1),
  );
};
