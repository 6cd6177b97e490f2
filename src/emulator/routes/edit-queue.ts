import { json, refusal } from '../http/answer.js';
import type { Handler } from '../http/api-request.js';
import { readJsonObject } from '../http/read-json.js';
import { isWaiting } from '../scheduler/job.js';

/** `POST /api/queue`: ends the named jobs (`delete`), or all that wait (`clear`); ids that were nothing are left out. */
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
