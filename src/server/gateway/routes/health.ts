import { json } from '../http/respond.js';
import type { Readiness } from '../readiness.js';
import type { Refusal } from '../http/refusal.js';

/** The process serves. */
export const alive = (): Promise<Response> => Promise.resolve(json({ status: 'ok' }));

/** 503 while the gateway is closing, its service can't be used, or its stores reject writes. */
export const ready = (readiness: () => Promise<Readiness>) => async (): Promise<Response | Refusal> => {
  const { fault, damaged } = await readiness();
  return fault === undefined
    ? json({ status: 'ready', ...(damaged > 0 && { damaged }) })
    : { status: 503, code: 'not_ready', message: messages[fault], retryAfterS: 5 };
};

const messages: Readonly<Record<NonNullable<Readiness['fault']>, string>> = {
  closing: 'The gateway is going down.',
  service: 'The service does not answer, or refuses the key of this gateway.',
  storage: 'The gateway can store no change: its disk or its Redis server may be full, or away.',
};
