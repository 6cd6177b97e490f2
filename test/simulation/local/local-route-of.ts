import type { HttpRequest } from '../../../src/core/platform/platform.js';
import type { LoggedRequest, RouteName } from '../ledger.js';

type Route = Pick<LoggedRequest, 'route' | 'url' | 'key' | 'promptId' | 'correlation'>;

/** Reads which call of the local server a request is, and of which job. */
export const localRouteOf = ({ method, url, json, headers }: HttpRequest): Route => {
  const { pathname } = new URL(url);
  const path = pathname.replace(/^\/api(?=\/)/u, '');
  const base = { url, key: headers['x-api-key'] };
  const of = (route: RouteName, promptId?: string): Route => ({
    ...base,
    route,
    ...(promptId === undefined ? {} : { promptId }),
  });
  if (method === 'POST' && path === '/prompt') {
    const { prompt } = bodyOf(json);
    const node = (prompt as Record<string, { readonly inputs: { readonly correlation: number } }>)['1'];
    return { ...base, route: 'submit', correlation: node!.inputs.correlation };
  }
  if (method === 'POST' && path === '/queue')
    return of('cancel', (bodyOf(json)['delete'] as readonly string[] | undefined)?.[0]);
  if (method === 'POST' && path === '/interrupt')
    return of(
      'interrupt',
      json === undefined ? undefined : (bodyOf(json)['prompt_id'] as string | undefined),
    );
  if (method === 'GET' && path === '/queue') return of('queue');
  const history = /^\/history\/([^/]+)$/u.exec(path);
  return history === null
    ? of(path === '/user' ? 'user' : 'other')
    : of('history', decodeURIComponent(history[1]!));
};

/** A body as the object that it is. */
export const bodyOf = (json: string | undefined): Readonly<Record<string, unknown>> =>
  JSON.parse(json ?? '{}') as Readonly<Record<string, unknown>>;
