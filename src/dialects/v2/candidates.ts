import * as E from '../../protocol/either.js';
import type { JobRest, SubmitOptions } from '../../http/rest.js';
import type { ServiceError } from '../../errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Workflow } from '../../protocol/workflow.js';
import { canonicalJson } from '../../state/merge-outputs.js';

/** How long one of the questions for candidates may take. */
const askedWithinMs = 5_000;
/** A clock of the service may be that much behind the client's. */
const clockSkewMs = 60_000;

/**
 * The jobs that a submission of unknown outcome may have become: those of the queue of today, where the service serves it, that
 * have the same workflow and are not older.
 *
 * API v2 itself lists no jobs, and Left is what asking for that queue failed with.
 */
export const candidatesFor =
  (
    rest: Pick<JobRest, 'queue'>,
    workflow: Workflow,
    startedAt: number,
    { signal }: Pick<SubmitOptions, 'signal'> = {},
  ): TaskEither<ServiceError, readonly string[]> =>
  async () => {
    if (signal?.aborted === true) return E.right([]);
    const queue = await rest.queue({ signal, timeoutMs: askedWithinMs })();
    if (E.isLeft(queue)) return queue;
    const own = canonicalJson(workflow);
    const isCandidate = (listed: unknown, createdAt = Infinity): boolean =>
      own !== undefined && canonicalJson(listed) === own && createdAt >= startedAt - clockSkewMs;
    const listed = [...queue.right.running, ...queue.right.pending];
    return E.right(
      listed.flatMap((item) => (isCandidate(item.workflow, item.createdAt) ? [item.promptId] : [])),
    );
  };
