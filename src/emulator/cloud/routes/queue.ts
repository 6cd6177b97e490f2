import { done, json, refusal } from '../../http/answer.js';
import type { Handler } from '../handler.js';
import { readJsonObject } from '../../http/request.js';
import { isWaiting, type Job } from '../../scheduler/job.js';

/** `POST /api/queue`: cancels the named jobs (`delete`), or all waiting ones (`clear`); unknown ids are left out. */
export const editQueue: Handler = async ({ service, account: { scheduler }, text }) => {
  const body = readJsonObject(await text());
  const named = body?.['delete'] ?? [];
  const clear = body?.['clear'] ?? false;
  if (!body || !isTexts(named) || typeof clear !== 'boolean') {
    return refusal(400, 'BAD_REQUEST', 'The body takes `delete`, a list of ids, and `clear`, true or false.');
  }
  const takesRunning = service.settings.switches.queueDelete === 'both';
  const mayEnd = (promptId: string): boolean => {
    const job = scheduler.job(promptId);
    return job !== undefined && (takesRunning || isWaiting(job));
  };
  const deleted = named.filter((promptId) => mayEnd(promptId) && scheduler.cancel(promptId));
  if (clear) for (const job of scheduler.waiting()) scheduler.cancel(job.id);
  return json({ deleted, cleared: clear });
};

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((member) => typeof member === 'string');

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

/** `GET /api/prompt`: how many jobs run or wait. */
export const queueLength: Handler = ({ account: { scheduler } }) =>
  json({ exec_info: { queue_remaining: scheduler.running().length + scheduler.waiting().length } });

/** `POST /api/interrupt`: cancels the job that the body names, or otherwise all running jobs of the account. */
export const interrupt: Handler = async ({ account: { scheduler }, text }) => {
  const promptId = readJsonObject(await text())?.['prompt_id'];
  if (typeof promptId === 'string') {
    if (!scheduler.job(promptId)) return refusal(404, 'NOT_FOUND', 'There is no such job.');
    scheduler.cancel(promptId);
    return done;
  }
  for (const job of scheduler.running()) scheduler.cancel(job.id);
  return done;
};
