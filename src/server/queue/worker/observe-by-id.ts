import * as E from '../../../core/protocol/either.js';
import type { Intent } from '../policy/intent.js';
import type { Observation } from '../../../core/lost/decide-match.js';
import type { Rest } from '../../../core/http/rest.js';

/** How long the question may take, in milliseconds. */
const requestTimeoutMs = 10_000;

/** Asks for the job of a submission whose id is the job's own; undefined where the service did not answer. */
export const observeById = async (
  rest: Pick<Rest, 'jobStatus'>,
  { submissionId }: Pick<Intent, 'submissionId'>,
): Promise<Omit<Observation, 'at'> | undefined> => {
  const answer = await rest.jobStatus(submissionId, { timeoutMs: requestTimeoutMs })();
  if (E.isRight(answer)) return { marked: [submissionId], alike: [] };
  // Only the empty record is the server's own word for an unknown job; any other 404 may be a proxy's page.
  const isUnknown = answer.left._tag === 'NotFound' && /^\{\s*\}$/u.test(answer.left.sample ?? '');
  return isUnknown ? { marked: [], alike: [] } : undefined;
};
