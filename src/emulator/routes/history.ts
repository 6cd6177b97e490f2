import { json, refusal } from '../http/answer.js';
import type { Handler } from '../http/api-request.js';
import { jobRecord } from './job-record.js';

/** `GET /api/history_v2/{id}`: the job's record, flat or under its id; 404 until it has started. */
export const history: Handler = ({ service, account, params }) => {
  const job = account.scheduler.job(params[0] ?? '');
  const { switches } = service.settings;
  const record = job && jobRecord(job, switches, service.now);
  if (!job || !record) return refusal(404, 'NOT_FOUND', 'There is no record of such a job.');
  return json(switches.history === 'flat' ? record : { [job.id]: record });
};
