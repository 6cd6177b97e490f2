import type { HttpRequest } from '../../src/core/platform/platform.js';
import type { LoggedRequest, RouteName } from './ledger.js';

/** Reads which call a request is, and of which job. */
export const routeOf = ({
  method,
  url,
  json,
  headers,
}: HttpRequest): Pick<LoggedRequest, 'route' | 'url' | 'key' | 'promptId' | 'correlation'> => {
  const path = url.slice(url.indexOf('/api/'));
  const base = { url, key: headers['x-api-key'] };
  const of = (route: RouteName, promptId: string | undefined) => ({
    ...base,
    route,
    ...(promptId === undefined ? {} : { promptId }),
  });
  if (method === 'POST' && path === '/api/prompt') {
    const { prompt } = JSON.parse(json!) as { readonly prompt: Record<string, { readonly inputs: object }> };
    const { correlation } = prompt['1']!.inputs as { readonly correlation: number };
    return { ...base, route: 'submit', correlation };
  }
  const status = /^\/api\/job\/([^/]+)\/status$/u.exec(path);
  if (status !== null) return of('status', status[1]);
  const history = /^\/api\/history_v2\/([^/]+)$/u.exec(path);
  if (history !== null) return of('history', history[1]);
  const detail = /^\/api\/jobs\/([^/]+)$/u.exec(path);
  if (detail !== null && method === 'GET') return of('job', detail[1]);
  if (path === '/api/queue' && method === 'POST')
    return of('cancel', (JSON.parse(json!) as { readonly delete?: readonly string[] }).delete?.[0]);
  if (path === '/api/interrupt') return of('interrupt', undefined);
  return of(path === '/api/user' ? 'user' : 'other', undefined);
};
