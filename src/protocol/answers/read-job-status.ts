import * as E from '../either.js';
import type { TypeOf } from 'io-ts';
import { shapeProblem } from '../errors/shape-problem.js';
import { jobStatusShape } from '../generated/shapes.js';
import type { JobStatus } from './job-status.js';
import type { jobStatusCodec } from './job-status-codec.js';
import { phaseOfStatus } from '../state/phase-of-status.js';
import { readFailure } from '../state/read-failure.js';
import { failureByWord } from '../state/unknown-failure.js';

/**
 * Reads a job's status; any word for it is taken (docs/protocol.md, chapter 4).
 *
 * @param promptId stands in where the answer does not repeat the id
 */
export const readJobStatus = (json: unknown, promptId = ''): E.Either<string, JobStatus> => {
  if (shapeProblem(jobStatusShape, json) !== undefined)
    return E.left('the answer names no status of the job');
  const answer = json as Answer;
  const { id, status, created_at: createdAt, updated_at: updatedAt } = answer;
  const phase = phaseOfStatus(status);
  return E.right({
    promptId: typeof id === 'string' ? id : promptId,
    status,
    phase,
    ...(phase === 'failed' && { failure: failureOf(answer) }),
    ...(typeof createdAt === 'string' && { createdAt }),
    ...(typeof updatedAt === 'string' && { updatedAt }),
  });
};

type Answer = TypeOf<typeof jobStatusCodec>;

const failureOf = ({ status, error_message, execution_error }: Answer) => {
  const told = execution_error ?? error_message ?? '';
  return told === '' ? failureByWord(status) : readFailure(told);
};
