import type { DeleteResult, GatewayJobs } from '../model/gateway-jobs.js';
import { jobNotFound, refusal, refusalOf } from '../v2/refusal.js';
import { json } from '../http/respond.js';
import type { Refusal } from '../http/refusal.js';
import type { RouteCall } from '../http/route.js';
import { answers, type Operations } from '../openapi/operation.js';
import { deletedJob, deletedJobs } from '../contract/native.js';
import * as t from 'io-ts';

/** The most jobs that one request may delete. */
const maxAtOnce = 100;

/** The deletion of a job that has ended, and of several. */
export const deleteOperations = ({ delete: remove }: Pick<GatewayJobs, 'delete'>) => ({
  /** `DELETE /jobs/:id`: 409 for a job that has not ended. */
  one: async ({ caller, params: { id = '' } }: RouteCall): Promise<Response | Refusal> => {
    const result = await remove(caller, id);
    if (result === undefined) return jobNotFound;
    if (result._tag === 'running') return isRunning;
    return result._tag === 'failed' ? refusalOf(result.error) : json({ id, files: result.files });
  },
  /** `DELETE /jobs?id=…&id=…`: what became of each. */
  several: async ({ caller, url }: RouteCall): Promise<Response | Refusal> => {
    const ids = [...new Set(url.searchParams.getAll('id'))];
    if (ids.length === 0 || ids.length > maxAtOnce) {
      return refusal(400, 'invalid_request', `\`id\` names 1 to ${maxAtOnce} jobs.`);
    }
    const jobs = [];
    for (const id of ids) jobs.push({ id, ...shown(await remove(caller, id)) });
    return json({ jobs });
  },
});

/** What became of one of several jobs. */
const shown = (
  result: DeleteResult | undefined,
): { readonly result: 'deleted' | 'running' | 'unknown' | 'failed'; readonly files?: 'deleted' | 'kept' } =>
  result?._tag === 'deleted'
    ? { result: 'deleted', files: result.files }
    : { result: result?._tag ?? 'unknown' };

const isRunning: Refusal = refusal(
  409,
  'job_running',
  'The job has not ended, and only jobs that have can be deleted: cancel it first (POST /jobs/:id/cancel).',
);

/** What OpenAPI tells of these operations. */
export const deleteDescriptions: Operations = {
  'DELETE /jobs/:id': {
    ...{ id: 'deleteJob', tag: 'Jobs', summary: 'Delete a job that has ended' },
    answers: { 200: answers('It is gone; the service keeps or deletes its files.', deletedJob) },
    refusals: [404, 409, 503],
  },
  'DELETE /jobs': {
    ...{ id: 'deleteJobs', tag: 'Jobs', summary: 'Delete several jobs that have ended' },
    query: { id: { codec: t.array(t.string), description: 'The jobs, 100 at most.' } },
    answers: { 200: answers('What became of each.', deletedJobs) },
    refusals: [400],
  },
};
