import { json } from '../http/answer.js';
import type { Handler } from '../http/api-request.js';
import type { Job } from '../scheduler/job.js';

/** `GET /api/queue`: running and waiting jobs as tuples in the cloud's order. */
export const listQueue: Handler = ({ account: { scheduler } }) => {
  const running = scheduler.running();
  const item = (offset: number) => (job: Job, index: number) =>
    [offset + index + 1, job.id, job.prompt, job.targets, { create_time: job.createdAt }] as const;
  return json({
    queue_running: running.map(item(0)),
    queue_pending: scheduler.waiting().map(item(running.length)),
  });
};
