import { alive, ready } from './health.js';
import type { Caller } from '../options.js';
import { descriptions } from './descriptions.js';
import { deleteOperations } from './delete-operations.js';
import { issueWatchToken } from './issue-watch-token.js';
import { json } from '../http/respond.js';
import { listDefinitions } from './definition-operations.js';
import { nativeOperations } from './native-operations.js';
import { openApiDocument } from '../openapi/document.js';
import { type PreflightContext, preflightOperation } from './preflight-operation.js';
import type { Readiness } from '../readiness.js';
import type { Route } from '../http/route.js';
import type { RouteContext } from '../v2/context.js';
import { callOperations, type CallContext } from '../calls/call-operations.js';
import type { KnownTemplates } from '../saved-templates/known-templates.js';
import { listTemplates } from './template-operations.js';
import { type SavedTemplateContext, savedTemplateOperations } from './saved-template-operations.js';
import { type ServerContext, serverOperations } from './server-operations.js';
import { v2AssetOperations } from '../v2/asset-operations.js';
import { v2JobOperations } from '../v2/job-operations.js';
import type { WatchTokens } from '../http/watch-tokens.js';
import { webhookOperations } from './webhook-operations.js';
import type { Webhooks } from '../model/webhooks.js';

// Every operation of the gateway, a line each: the method, the path, what answers, and what differs from a call of a named caller.

/** API v2. */
export const v2Routes = (context: RouteContext): readonly Route[] => {
  const jobs = v2JobOperations(context);
  const assets = v2AssetOperations(context);
  return [
    v2('POST', '/jobs', jobs.submit),
    v2('GET', '/jobs', jobs.list),
    v2('GET', '/jobs/:id', jobs.show, { unlimited: true }),
    v2('GET', '/jobs/:id/workflow', jobs.workflow),
    v2('GET', '/jobs/:id/logs', jobs.logs),
    v2('POST', '/jobs/:id/cancel', jobs.cancel),
    v2('GET', '/jobs/:id/events', jobs.events, { access: 'ticket', stream: true }),

    v2('POST', '/assets', assets.upload, { body: 'upload' }),
    v2('POST', '/assets/from-hash', assets.ofHash),
    v2('HEAD', '/assets/by-hash/:hash', assets.hasHash),
    v2('GET', '/assets/:id', assets.show),
    v2('DELETE', '/assets/:id', assets.remove),
    v2('GET', '/assets/:id/content', assets.content, { access: 'ticket' }),
  ];
};

/** Jobs, files and templates beyond API v2. */
export const nativeRoutes = (
  context: RouteContext & Omit<CallContext, 'output'>,
  templates: Pick<KnownTemplates, 'find'>,
): readonly Route[] => {
  const jobs = nativeOperations(context);
  const calls = callOperations({ ...context, output: jobs.output }, templates);
  const deletions = deleteOperations(context.jobs);
  return [
    native('POST', '/jobs', calls.workflow, { body: 'json or form' }),
    native('GET', '/jobs', jobs.list),
    native('GET', '/jobs/:id', jobs.show, { access: 'ticket', unlimited: true }),
    native('POST', '/jobs/:id/cancel', jobs.cancel),
    native('DELETE', '/jobs/:id', deletions.one),
    native('DELETE', '/jobs', deletions.several),
    native('GET', '/jobs/:id/events', jobs.events, { access: 'ticket', stream: true }),
    native('GET', '/jobs/:id/outputs/:output', jobs.output, { access: 'ticket' }),
    native('GET', '/jobs/:id/previews/:node', jobs.preview, { access: 'preview' }),
    native('GET', '/events', jobs.events, { access: 'ticket', stream: true }),
    native('POST', '/uploads', jobs.upload, { body: 'upload' }),
    native('POST', '/templates/:name', calls.template, { body: 'json or form' }),
  ];
};

/** The templates of the gateway, and those of its callers. */
export const templateRoutes = (saved: SavedTemplateContext): readonly Route[] => {
  const own = savedTemplateOperations(saved);
  return [
    native('GET', '/templates', listTemplates(saved.templates)),
    native('GET', '/templates/:name', own.show),
    native('PUT', '/templates/:name', own.put),
    native('DELETE', '/templates/:name', own.remove),
  ];
};

/** What a page asks before it submits a workflow. */
export const workflowRoutes = (context: PreflightContext): readonly Route[] => [
  native('GET', '/definitions', listDefinitions(context.definitions)),
  native('POST', '/preflight', preflightOperation(context)),
];

/** The servers behind the gateway. */
export const serverRoutes = (context: ServerContext): readonly Route[] => {
  const servers = serverOperations(context);
  return [
    native('GET', '/servers', servers.list),
    native('GET', '/servers/events', servers.events, { stream: true }),
    native('POST', '/servers/:name/pause', servers.change('pause')),
    native('POST', '/servers/:name/resume', servers.change('resume')),
    native('POST', '/servers/:name/drain', servers.change('drain')),
  ];
};

/** The webhook of the caller. */
export const webhookRoutes = (
  webhooks: Webhooks | undefined,
  allowHosts?: readonly string[],
): readonly Route[] => {
  const webhook = webhookOperations(webhooks, allowHosts);
  return [
    native('GET', '/webhooks', webhook.show),
    native('PUT', '/webhooks', webhook.put),
    native('DELETE', '/webhooks', webhook.remove),
  ];
};

/** The tickets by which a page watches without the token. */
export const watchTokenRoutes = (
  tokens: WatchTokens,
  hasJob: (caller: Caller, id: string) => Promise<boolean>,
): readonly Route[] => [native('POST', '/watch-tokens', issueWatchToken(tokens, hasJob))];

/** The questions of a load balancer. */
export const healthRoutes = (readiness: () => Promise<Readiness>): readonly Route[] => [
  native('GET', '/healthz', alive, { access: 'open' }),
  native('GET', '/readyz', ready(readiness), { access: 'open' }),
];

/** What the gateway tells of itself: of these routes and of its own. */
export const openApiRoute = (routes: readonly Route[]): Route => {
  const route = native(
    'GET',
    '/openapi.json',
    ({ base }) => Promise.resolve(json(openApiDocument([...routes, route], descriptions, base))),
    { access: 'open' },
  );
  return route;
};

type Differing = Partial<Pick<Route, 'access' | 'body' | 'stream' | 'unlimited'>>;

const v2 = (method: Route['method'], path: string, handle: Route['handle'], more?: Differing): Route => ({
  ...{ method, path: `/api/v2${path}`, access: 'caller', errors: 'v2', handle },
  ...more,
});

const native = (method: Route['method'], path: string, handle: Route['handle'], more?: Differing): Route => ({
  ...{ method, path, access: 'caller', errors: 'problem', handle },
  ...(more?.access !== 'open' && { query: queryOf(`${method} ${path}`) }),
  ...more,
});

/** What the description of an operation says of its query. */
const queryOf = (operation: string): readonly string[] =>
  Object.entries(descriptions[operation]?.query ?? {}).map(([name, { style }]) =>
    style === 'members' ? `${name}[]` : name,
  );
