import * as E from '../either.js';
import { isJsonObject } from '../is-json-object.js';
import { readNodeErrors } from './read-node-errors.js';
import type { Submission } from './submission.js';

/**
 * Reads the answer of a submission. Only the job's id is demanded; without it nothing was accepted, whatever else the
 * answer says (docs/protocol.md, chapter 2).
 */
export const readSubmission = (json: unknown): E.Either<string, Submission> => {
  const { prompt_id: promptId, number, node_errors: nodeErrors } = isJsonObject(json) ? json : {};
  if (typeof promptId !== 'string' || promptId === '') return E.left('the answer names no prompt_id');
  return E.right({
    promptId,
    ...(typeof number === 'number' && { number }),
    nodeErrors: readNodeErrors(nodeErrors),
  });
};
