import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { JobStatus } from './job-status.js';
import { phaseOfStatus } from '../state/phase-of-status.js';
import { readFailure } from '../state/read-failure.js';
import { unknownFailure } from '../state/unknown-failure.js';

/**
 * Reads a job's status; any word for it is taken (docs/protocol.md, chapter 4).
 *
 * @param promptId stands in where the answer does not repeat the id
 */
export const readJobStatus = (json: unknown, promptId = ''): E.Either<string, JobStatus> => {
  if (!answer.is(json)) return E.left('the answer names no status of the job');
  const { id, status, created_at: createdAt, updated_at: updatedAt } = json;
  const phase = phaseOfStatus(status);
  return E.right({
    promptId: typeof id === 'string' ? id : promptId,
    status,
    phase,
    ...(phase === 'failed' && { failure: failureOf(json) }),
    ...(typeof createdAt === 'string' && { createdAt }),
    ...(typeof updatedAt === 'string' && { updatedAt }),
  });
};

const answer = t.intersection([
  t.type({ status: t.string }),
  t.partial({
    id: t.unknown,
    created_at: t.unknown,
    updated_at: t.unknown,
    error_message: t.unknown,
    execution_error: t.unknown,
  }),
]);

const failureOf = ({ status, error_message, execution_error }: t.TypeOf<typeof answer>) => {
  const told = execution_error ?? error_message ?? '';
  return told === '' ? unknownFailure(`The service ended the job as "${status}".`) : readFailure(told);
};
