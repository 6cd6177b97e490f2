import { json } from '../http/respond.js';
import type { Refusal } from '../http/refusal.js';

/** The process serves. */
export const alive = (): Promise<Response> => Promise.resolve(json({ status: 'ok' }));

/** 503 while the gateway is closing or the service did not answer lately. */
export const ready = (isReady: () => Promise<boolean>) => async (): Promise<Response | Refusal> =>
  (await isReady())
    ? json({ status: 'ready' })
    : { status: 503, code: 'not_ready', message: 'The service did not answer lately.', retryAfterS: 5 };
