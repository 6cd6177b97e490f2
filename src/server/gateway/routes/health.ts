import { json } from '../http/respond.js';
import type { Refusal } from '../http/refusal.js';

/** The process serves. */
export const alive = (): Promise<Response> => Promise.resolve(json({ status: 'ok' }));

/** 503 while the gateway is closing or its service can't be used. */
export const ready = (isReady: () => Promise<boolean>) => async (): Promise<Response | Refusal> =>
  (await isReady())
    ? json({ status: 'ready' })
    : {
        status: 503,
        code: 'not_ready',
        message: 'The service does not answer, or refuses the key of this gateway.',
        retryAfterS: 5,
      };
