import type { HttpRequest } from '../../../src/core/platform/platform.js';
import type { LoggedRequest, RouteName } from '../ledger.js';

type Route = Pick<LoggedRequest, 'route' | 'url' | 'key' | 'promptId' | 'correlation'>;

const jobPath = /^\/api\/v2\/jobs\/([^/]+)(\/cancel)?$/u;

/** Reads which call of API v2 a request is, and of which job; the event streams are no calls. */
export const v2RouteOf = ({ method, url, json, headers }: HttpRequest): Route => {
  const { pathname } = new URL(url);
  const base = { url, key: bearerOf(headers) ?? headers['x-api-key'] };
  if (method === 'POST' && pathname === '/api/v2/jobs') {
    const { workflow } = JSON.parse(json ?? '{}') as { readonly workflow: Record<string, CorrelationNode> };
    return { ...base, route: 'submit', correlation: workflow['1']!.inputs.correlation };
  }
  const of = (route: RouteName, promptId?: string): Route => ({
    ...base,
    route,
    ...(promptId === undefined ? {} : { promptId }),
  });
  const [, job, cancels] = jobPath.exec(pathname) ?? [];
  if (job !== undefined && method === 'POST' && cancels !== undefined)
    return of('cancel', decodeURIComponent(job));
  if (job === noJob) return of('user');
  if (job !== undefined && method === 'GET' && cancels === undefined)
    return of('status', decodeURIComponent(job));
  // The routes of v1, where they stand beside API v2.
  if (pathname === '/api/queue' && method === 'GET') return of('queue');
  return of(pathname === '/api/user' ? 'user' : 'other');
};

interface CorrelationNode {
  readonly inputs: { readonly correlation: number };
}

/** No job has this id: who asks for it wants to know whether the key is good. */
const noJob = '00000000-0000-0000-0000-000000000000';

/** The key that a request carries, if it does. */
export const bearerOf = (headers: HttpRequest['headers']): string | undefined =>
  /^Bearer (.+)$/u.exec(headers['authorization'] ?? '')?.[1];

/** The job whose events a request asks for; undefined where it is a call. */
export const streamedJobOf = ({ method, url }: HttpRequest): string | undefined => {
  const job = /^\/api\/v2\/jobs\/([^/]+)\/events$/u.exec(new URL(url).pathname)?.[1];
  return method !== 'GET' || job === undefined ? undefined : decodeURIComponent(job);
};
