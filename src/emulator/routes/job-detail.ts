import { json, refusal } from '../http/answer.js';
import type { Handler } from '../http/api-request.js';
import { stateOf } from '../scheduler/status-word.js';
import type { EventData } from '../messages.js';
import { jobRecord } from './job-record.js';

/** `GET /api/jobs/{id}`: the newer view of a job, always with one of the five states. */
export const jobDetail: Handler = ({ service, account, params }) => {
  const job = account.scheduler.job(params[0] ?? '');
  if (!job) return refusal(404, 'NOT_FOUND', 'There is no such job.');
  const record = jobRecord(job, service.settings.switches, service.now);
  return json({
    id: job.id,
    status: stateOf(job.word),
    create_time: job.createdAt,
    update_time: job.updatedAt,
    execution_start_time: job.startedAt ?? null,
    execution_end_time: job.endedAt ?? null,
    outputs_count: [...job.outputs.values()].flatMap(filesOf).length,
    execution_error: job.failure ?? null,
    workflow: { prompt: job.prompt, extra_data: { create_time: job.createdAt } },
    outputs: record?.['outputs'] ?? {},
    execution_status: record?.['status'] ?? null,
    execution_meta: record?.['meta'] ?? {},
    queue_reason: job.word === 'queued_limited' ? 'concurrency_limit' : null,
    queue_position: null,
  });
};

/** The files that a node has put out, without its texts and flags. */
const filesOf = (output: EventData): readonly unknown[] =>
  Object.values(output)
    .filter((list) => Array.isArray(list))
    .flat()
    .filter((element: unknown) => typeof element === 'object' && element !== null && 'filename' in element);
