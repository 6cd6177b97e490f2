import {
  healthRoutes,
  nativeRoutes,
  openApiRoute,
  serverRoutes,
  templateRoutes,
  v2Routes,
  watchTokenRoutes,
  webhookRoutes,
  workflowRoutes,
} from '../../../src/server/gateway/routes/routes.js';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../../src/server/gateway/http/route.js';

/** In place of what the operations work with, none of which is called. */
const nothing: never = new Proxy(() => undefined, { get: () => nothing, apply: () => nothing }) as never;

const routes: readonly Route[] = [
  ...v2Routes(nothing),
  ...nativeRoutes(nothing, nothing),
  ...templateRoutes(nothing),
  ...workflowRoutes(nothing),
  ...serverRoutes(nothing),
  ...webhookRoutes(undefined),
  ...watchTokenRoutes(nothing, nothing),
  ...healthRoutes(nothing),
  openApiRoute([]),
];
const where = (is: (route: Route) => boolean): readonly string[] =>
  routes.filter(is).map(({ method, path }) => `${method} ${path}`);

describe('the routes of a gateway', () => {
  it('are each there once', () => {
    const all = where(() => true);
    expect([new Set(all).size, all.length]).toEqual([43, 43]);
  });

  it('are open to nobody but callers, save for the questions of load balancers and the description', () => {
    expect(where(({ access }) => access === 'open')).toEqual([
      ...['GET /healthz', 'GET /readyz', 'GET /openapi.json'],
    ]);
  });

  it('open by a watch token where a page reads a job, its events and its files, and nowhere else', () => {
    expect(where(({ access }) => access === 'ticket')).toEqual([
      ...['GET /api/v2/jobs/:id/events', 'GET /api/v2/assets/:id/content', 'GET /jobs/:id'],
      ...['GET /jobs/:id/events', 'GET /jobs/:id/outputs/:output', 'GET /events'],
    ]);
    expect(where(({ access }) => access === 'preview')).toEqual(['GET /jobs/:id/previews/:node']);
    const others = routes.filter(({ access }) => access === 'caller');
    expect(others).toHaveLength(43 - 3 - 6 - 1);
  });

  it('count as streams where they go on, and as uploads where they take files', () => {
    expect(where(({ stream }) => stream === true)).toEqual([
      ...['GET /api/v2/jobs/:id/events', 'GET /jobs/:id/events', 'GET /events', 'GET /servers/events'],
    ]);
    expect(where(({ body }) => body === 'upload')).toEqual(['POST /api/v2/assets', 'POST /uploads']);
    expect(where(({ body }) => body === 'json or form')).toEqual(['POST /jobs', 'POST /templates/:name']);
  });

  it('have a rate, but for the question how a job is', () => {
    expect(where(({ unlimited }) => unlimited === true)).toEqual(['GET /api/v2/jobs/:id', 'GET /jobs/:id']);
  });

  it('refuse in the words of API v2 below its path alone, and check the queries of all others', () => {
    for (const { path, errors, query, access } of routes) {
      const isV2 = path.startsWith('/api/v2/');
      expect([path, errors, query !== undefined]).toEqual([
        ...[path, isV2 ? 'v2' : 'problem', !isV2 && access !== 'open'],
      ]);
    }
    const queries = routes.flatMap(({ method, path, query = [] }) =>
      query.length > 0 ? [[`${method} ${path}`, query.join()]] : [],
    );
    expect(Object.fromEntries(queries)).toMatchObject({
      'GET /jobs': 'limit,cursor,status,template,workflow,text,kind,since,until,metadata[]',
      'DELETE /jobs': 'id',
      'GET /events': 'from,after',
      'GET /definitions': 'class',
    });
  });
});
