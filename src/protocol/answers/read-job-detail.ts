import * as E from '../either.js';
import { isJsonObject } from '../is-json-object.js';
import { readOutputs } from '../outputs/read-outputs.js';
import { phaseOfStatus } from '../state/phase-of-status.js';
import { readFailure } from '../state/read-failure.js';
import type { JobDetail } from './job-detail.js';

/** Reads what the jobs API tells of one job (docs/protocol.md, chapter 2). */
export const readJobDetail = (json: unknown, promptId: string): E.Either<string, JobDetail> => {
  if (!isJsonObject(json) || typeof json['status'] !== 'string')
    return E.left('the answer names no status of the job');
  const { status, outputs_count: count, execution_error: error } = json;
  const phase = phaseOfStatus(status);
  return E.right({
    promptId,
    status,
    phase,
    outputs: readOutputs(json['outputs']),
    ...(isCount(count) && { outputsCount: count }),
    ...(phase === 'failed' && isTold(error) && { failure: readFailure(error) }),
  });
};

const isCount = (told: unknown): told is number =>
  typeof told === 'number' && Number.isSafeInteger(told) && told >= 0;

const isTold = (error: unknown): boolean =>
  isJsonObject(error) || (typeof error === 'string' && error !== '');
