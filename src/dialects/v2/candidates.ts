import * as E from '../../protocol/either.js';
import type { JobRest, SubmitOptions } from '../../http/rest.js';
import type { Workflow } from '../../protocol/workflow.js';
import { canonicalJson } from '../../protocol/json/canonical-json.js';

/** How long one of the questions for candidates may take. */
const askedWithinMs = 5_000;
/** A clock of the service may be that much behind the client's. */
const clockSkewMs = 60_000;

/**
 * The jobs that a submission of unknown outcome may have become: those of the queue of today, where the service serves it, that
 * have the same workflow and are not older.
 *
 * API v2 itself lists no jobs, so without that queue there are none. Never rejects.
 */
export const candidatesFor = async (
  rest: Pick<JobRest, 'queue'>,
  workflow: Workflow,
  startedAt: number,
  { signal }: Pick<SubmitOptions, 'signal'> = {},
): Promise<readonly string[]> => {
  if (signal?.aborted === true) return [];
  const queue = await rest.queue({ signal, timeoutMs: askedWithinMs })();
  if (E.isLeft(queue)) return [];
  const own = canonicalJson(workflow);
  const isCandidate = (listed: unknown, createdAt = Infinity): boolean =>
    own !== undefined && canonicalJson(listed) === own && createdAt >= startedAt - clockSkewMs;
  const listed = [...queue.right.running, ...queue.right.pending];
  return listed.flatMap((item) => (isCandidate(item.workflow, item.createdAt) ? [item.promptId] : []));
};
