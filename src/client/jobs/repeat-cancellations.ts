import type { ConnectionState } from '../../core/socket/connection-state.js';
import {
  concatMap,
  defer,
  filter,
  finalize,
  type Observable,
  repeat,
  Subject,
  takeUntil,
  takeWhile,
} from 'rxjs';
import type { Clock } from '../../core/platform/platform.js';
import * as E from '../../core/protocol/either.js';
import { isTerminal } from '../../core/state/job-state.js';
import type { JobStatus } from '../../core/endpoints/job-status.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { timerOn } from '../../core/platform/timer.js';

const firstAgainMs = 1_000;
const longestMs = 30_000;

/** The jobs whose cancellations are repeated, and how the service is asked. */
export interface RepeatContext {
  readonly clock: Pick<Clock, 'after'>;
  readonly jobStatus: (promptId: string) => TaskEither<ServiceError, JobStatus>;
  /** Sends the cancellation once more. */
  readonly cancel: (promptId: string) => TaskEither<ServiceError, unknown>;
  readonly connection: Observable<ConnectionState>;
}

/** The cancellations of a client that go on. */
export interface Cancellations {
  /** The service has taken a cancellation, which is repeated until the job has ended. */
  readonly begin: (promptId: string) => void;
  /** The end of a job is known. */
  readonly ended: (promptId: string) => void;
}

/**
 * Repeats cancellations, since an engine can lose one between taking a job out of its queue and starting it: after 1 s, then ever more
 * rarely, up to once in 30 s, until the end of the job is known, the service says that it is over or unknown, or the client is closed.
 * The timers don't keep a process alive.
 */
export const repeatCancellations = ({
  clock,
  jobStatus,
  cancel,
  connection,
}: RepeatContext): Cancellations => {
  const ended = new Subject<string>();
  const open = new Set<string>();
  const closed = connection.pipe(filter(({ _tag }) => _tag === 'closed'));

  const again = async (promptId: string): Promise<'over' | 'asked'> => {
    const status = await jobStatus(promptId)();
    if (E.isLeft(status) ? status.left._tag === 'NotFound' : isTerminal(status.right.phase)) return 'over';
    await cancel(promptId)();
    return 'asked';
  };

  return {
    begin: (promptId) => {
      if (open.has(promptId)) return;
      open.add(promptId);
      let count = 0;
      const pause = defer(() =>
        timerOn(clock, Math.min(longestMs, firstAgainMs * 2 ** count++), { background: true }),
      );
      pause
        .pipe(
          concatMap(() => again(promptId)),
          repeat(),
          takeWhile((outcome) => outcome === 'asked'),
          takeUntil(ended.pipe(filter((id) => id === promptId))),
          takeUntil(closed),
          finalize(() => open.delete(promptId)),
        )
        // Neither call rejects.
        .subscribe({ error: () => undefined });
    },
    ended: (promptId) => ended.next(promptId),
  };
};
