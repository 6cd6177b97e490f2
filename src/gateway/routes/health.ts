import { json } from '../http/respond.js';
import type { Route } from '../http/route.js';

/**
 * The routes of a load balancer: `/healthz` answers 200 while the process serves, `/readyz` 503 while the gateway is closing or the
 * service did not answer lately.
 */
export const healthRoutes = (isReady: () => Promise<boolean>): readonly Route[] => [
  {
    method: 'GET',
    path: '/healthz',
    access: 'open',
    errors: 'problem',
    handle: () => Promise.resolve(json({ status: 'ok' })),
  },
  {
    method: 'GET',
    path: '/readyz',
    access: 'open',
    errors: 'problem',
    handle: async () =>
      (await isReady())
        ? json({ status: 'ready' })
        : { status: 503, code: 'not_ready', message: 'The service did not answer lately.', retryAfterS: 5 },
  },
];
