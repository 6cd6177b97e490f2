import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import { failureByWord, type JobFailure, readFailure } from '../state/failure.js';
import type { JobDetail } from './job-detail.js';
import type { JobPhase } from '../state/job-state.js';
import type { jobStatusCodec } from './codecs.js';
import { jobStatusShape } from '../protocol/generated/shapes.js';
import type { QueuePlace } from '../state/queue-place.js';
import { phaseOfStatus } from '../state/phase-of-status.js';
import { shapeProblem } from '../protocol/json/shape-problem.js';
import type { TypeOf } from 'io-ts';
import { pathPart } from '../protocol/path-part.js';

/** `GET /api/job/{id}/status` (docs/protocol.md, chapters 2 and 4). */
export const jobStatusEndpoint = (promptId: string): Endpoint<JobStatus> => ({
  method: 'GET',
  path: `/api/job/${pathPart(promptId)}/status`,
  idempotency: 'always',
  promptId,
  read: (json) => readJobStatus(json, promptId),
});

/** The status endpoint's answer, its word already read as a phase (unknown and moving words: no terminal phase). */
export interface JobStatus {
  /** The job's id. */
  readonly promptId: string;
  /** The status word as on the wire. */
  readonly status: string;
  /** The phase that `status` stands for; an unknown word means that the job is in flight. */
  readonly phase: Extract<JobPhase, 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled'>;
  /** Why it failed; only where `phase` is `failed`. */
  readonly failure?: JobFailure;
  /** Where it stands in the queue, and why, where the answer says so. */
  readonly queue?: QueuePlace;
  /** When it was submitted, as the service words it. */
  readonly createdAt?: string;
  /** When its status last changed, as the service words it. */
  readonly updatedAt?: string;
  /** The job in the jobs API, with its outputs once it has ended, where the status was read there. */
  readonly detail?: JobDetail;
}

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
  const reported = execution_error ?? error_message ?? '';
  return reported === '' ? failureByWord(status) : readFailure(reported);
};
