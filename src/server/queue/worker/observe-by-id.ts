import * as E from '../../../core/protocol/either.js';
import type { Intent } from '../policy/intent.js';
import type { Observation } from '../../../core/lost/decide-match.js';
import { isEmptyRecord } from '../../../core/endpoints/history.js';
import type { Rest } from '../../../core/http/rest.js';

/** How long the question may take, in milliseconds. */
const requestTimeoutMs = 10_000;

/**
 * Asks for the job of a submission whose id is the job's own; undefined if the service did not answer.
 *
 * Only the empty record of its history is a server's own word for an unknown job. The jobs API names what is missing (docs/protocol.md,
 * L.72), as a proxy may as well, so the history is asked after it.
 */
export const observeById = async (
  rest: Pick<Rest, 'jobStatus' | 'history'>,
  { submissionId }: Pick<Intent, 'submissionId'>,
): Promise<Omit<Observation, 'at'> | undefined> => {
  const options = { timeoutMs: requestTimeoutMs };
  const status = await rest.jobStatus(submissionId, options)();
  if (E.isRight(status)) return { marked: [submissionId], alike: [] };
  if (status.left._tag !== 'NotFound') return undefined;
  const answer = isEmptyRecord(status.left) ? status : await rest.history(submissionId, options)();
  if (E.isRight(answer)) return { marked: [submissionId], alike: [] };
  return isEmptyRecord(answer.left) ? { marked: [], alike: [] } : undefined;
};
