import { json, refusal } from '../http/answer.js';
import type { Handler } from '../http/api-request.js';
import { statusWord } from '../scheduler/status-word.js';

/** `GET /api/job/{id}/status`: the job's word and times; a job of another key is as unknown as one that never was. */
export const jobStatus: Handler = ({ service, account, params }) => {
  const job = account.scheduler.job(params[0] ?? '');
  if (!job) return refusal(404, 'NOT_FOUND', 'There is no such job.');
  const { settings } = service;
  return json({
    id: job.id,
    status: statusWord(job, settings.switches, settings.has),
    created_at: iso(job.createdAt),
    updated_at: iso(job.updatedAt),
    last_state_update: iso(job.updatedAt),
    assigned_inference: job.startedAt === undefined ? null : 'emulator-1',
    error_message: job.failure ? JSON.stringify(job.failure) : null,
  });
};

const iso = (time: number): string => new Date(time).toISOString();
