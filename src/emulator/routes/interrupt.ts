import { done, refusal } from '../http/answer.js';
import type { Handler } from '../http/api-request.js';
import { readJsonObject } from '../http/read-json.js';

/** `POST /api/interrupt`: ends the job that the body names, or else everything of the account that runs. */
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
