import { json } from '../http/respond.js';
import type { Readiness } from '../readiness.js';
import type { Refusal } from '../http/refusal.js';
import { answers, type Operations } from '../openapi/operation.js';
import { health, readiness as readinessCodec } from '../contract/native.js';

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

/** What OpenAPI tells of these operations. */
export const healthDescriptions: Operations = {
  'GET /healthz': {
    ...{ id: 'getHealth', tag: 'Health', summary: 'Ask whether the process serves' },
    answers: { 200: answers('It does.', health) },
  },
  'GET /readyz': {
    ...{
      id: 'getReadiness',
      tag: 'Health',
      summary: 'Ask whether its service answers and its store takes changes',
    },
    answers: { 200: answers('Both do.', readinessCodec) },
    refusals: [503],
  },
};
