import { json } from '../http/answer.js';
import type { Handler } from '../http/api-request.js';

/** `GET /api/prompt`: how many jobs run or wait. */
export const queueLength: Handler = ({ account: { scheduler } }) =>
  json({ exec_info: { queue_remaining: scheduler.running().length + scheduler.waiting().length } });
