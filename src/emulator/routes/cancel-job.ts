import { json, refusal } from '../http/answer.js';
import type { Handler } from '../http/api-request.js';

/** `POST /api/jobs/{id}/cancel`: asks for the end of one job; says whether there was anything to end. */
export const cancelJob: Handler = ({ account: { scheduler }, params }) => {
  const [promptId = ''] = params;
  if (!scheduler.job(promptId)) return refusal(404, 'NOT_FOUND', 'There is no such job.');
  return json({ cancelled: scheduler.cancel(promptId) });
};
