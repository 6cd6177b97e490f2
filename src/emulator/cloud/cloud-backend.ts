import { restoreCloud, saveCloud } from './cloud-state.js';
import type { Account, Service } from './cloud-service.js';
import { type Answer, json, refusal } from '../http/answer.js';
import type { Backend } from '../backend.js';
import type { ForbiddenCode } from '../fault.js';
import type { Handler } from './handler.js';
import { BodyTooLarge, requestParts } from '../http/request.js';
import { cancelJob, cancelJobs, listJobs } from './routes/job-list.js';
import { deleteAsset, deleteJob, jobAssets, shortLink } from './routes/job-assets.js';
import { editQueue, interrupt, listQueue, queueLength } from './routes/queue.js';
import {
  features,
  modelFolders,
  models,
  objectInfo,
  replacements,
  systemStats,
  user,
} from './routes/system.js';
import { history, jobDetail, jobStatus, listHistory } from './routes/jobs.js';
import type { IncomingMessage } from 'node:http';
import type { InterfaceRow } from '../options.js';
import type { Switches } from '../switches.js';
import { isAllowedRequest } from '../http/cross-origin.js';
import { matchRoute } from '../http/match-route.js';
import { serveSigned, view } from './routes/view.js';
import { statusEvent } from '../messages.js';
import { submitPrompt } from './routes/submit-prompt.js';
import { uploadImage, uploadMask } from './routes/upload.js';

/** One route; `{…}` in its path matches one segment. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly handle: Handler;
  /** The interface's row, for the endpoints that have one. */
  readonly row?: InterfaceRow;
  /** Whether it answers without a key. */
  readonly isOpen?: true;
}

/** The endpoints of the interface, then those of newer deployments. */
const routes: readonly Route[] = [
  { method: 'GET', path: '/api/object_info', handle: objectInfo, row: 'endpoint:GET /api/object_info' },
  {
    method: 'GET',
    path: '/api/object_info/{class}',
    handle: objectInfo,
    row: 'endpoint:GET /api/object_info',
  },
  { method: 'POST', path: '/api/upload/image', handle: uploadImage, row: 'endpoint:POST /api/upload/image' },
  { method: 'POST', path: '/api/upload/mask', handle: uploadMask, row: 'endpoint:POST /api/upload/mask' },
  { method: 'POST', path: '/api/prompt', handle: submitPrompt, row: 'endpoint:POST /api/prompt' },
  {
    method: 'GET',
    path: '/api/job/{id}/status',
    handle: jobStatus,
    row: 'endpoint:GET /api/job/{id}/status',
  },
  { method: 'GET', path: '/api/history_v2/{id}', handle: history, row: 'endpoint:GET /api/history_v2/{id}' },
  { method: 'GET', path: '/api/view', handle: view, row: 'endpoint:GET /api/view' },
  { method: 'GET', path: '/api/queue', handle: listQueue, row: 'endpoint:GET /api/queue' },
  { method: 'POST', path: '/api/queue', handle: editQueue, row: 'endpoint:POST /api/queue' },
  { method: 'POST', path: '/api/interrupt', handle: interrupt, row: 'endpoint:POST /api/interrupt' },
  { method: 'GET', path: '/api/user', handle: user, row: 'endpoint:GET /api/user' },
  { method: 'GET', path: '/api/prompt', handle: queueLength },
  { method: 'GET', path: '/api/history_v2', handle: listHistory },
  { method: 'GET', path: '/api/features', handle: features },
  { method: 'GET', path: '/api/node_replacements', handle: replacements, isOpen: true },
  { method: 'GET', path: '/api/experiment/models', handle: modelFolders },
  { method: 'GET', path: '/api/experiment/models/{folder}', handle: models },
  { method: 'GET', path: '/api/system_stats', handle: systemStats },
];

/** What services have of the jobs API, some of them all of it. */
const oneJobRoutes: readonly Route[] = [
  { method: 'GET', path: '/api/jobs/{id}', handle: jobDetail },
  { method: 'POST', path: '/api/jobs/{id}/cancel', handle: cancelJob },
];
const jobsRoutes: Readonly<Record<Switches['jobsApi'], readonly Route[]>> = {
  none: [],
  one: oneJobRoutes,
  all: [
    ...oneJobRoutes,
    { method: 'GET', path: '/api/jobs', handle: listJobs },
    { method: 'POST', path: '/api/jobs/cancel', handle: cancelJobs },
    { method: 'DELETE', path: '/api/jobs/{id}', handle: deleteJob },
    { method: 'GET', path: '/api/jobs/{id}/assets', handle: jobAssets },
    { method: 'DELETE', path: '/api/assets/{id}', handle: deleteAsset },
    { method: 'GET', path: '/api/s/{id}', handle: shortLink },
  ],
};

/** The account of a key, or the refusal: 401 for an unknown key, 403 where the free tier has no API. */
const authenticate = (service: Service, key: string | undefined): Account | Answer => {
  const account = service.accountOf(key);
  if (!account) {
    return refusal(
      401,
      'UNAUTHORIZED',
      key ? 'The API key is not known.' : 'The request carries no API key.',
    );
  }
  const code = service.accountFaults.forbidden(key);
  if (code !== undefined) return forbidden(code);
  const { tier, switches } = service.settings;
  if (tier === 'free' && switches.freeTier === '403') {
    return refusal(403, 'FORBIDDEN', 'The free tier has no access to the API.');
  }
  return account;
};

/** The 403 of a credential: one shape for its kind, another for all else. */
const forbidden = (code: ForbiddenCode): Answer => {
  const message = `The credential may not do this: ${code}.`;
  const body = {
    ...{ code, message },
    ...(code === 'sso_required' && { organization_id: '0e0e0e0e-0000-4000-8000-000000000001' }),
  };
  if (code !== 'auth_type_not_allowed') return json(body, 403);
  const answer = json({ error: { type: code, message }, accepted: ['oauth'] }, 403);
  return { ...answer, headers: { ...answer.headers, 'www-authenticate': `Bearer error="${code}"` } };
};

/** The hosted service: keys, tiers, several jobs at once, files behind signed addresses. */
export const createCloudBackend = (service: Service): Backend => ({
  apiKey: service.apiKey,
  acceptsKey: service.acceptsKey,
  setBilling: service.setBilling,
  answer: async (request, url, keepBody) =>
    service.jobAnswers(request.method ?? '', url, await answer(service, request, url, keepBody), notFound),
  notFound,
  jobs: () => service.faults.jobs.jobs(),
  acceptSocket: (request, url) =>
    isAllowedRequest(request, service.settings.allowOrigin) ? admit(service, url) : foreignOrigin,
  serveFile: (request, url) =>
    isAllowedRequest(request, service.settings.allowOrigin)
      ? serveSigned(service, request, url.pathname)
      : foreignOrigin,
  save: () => saveCloud(service),
  restore: (state) => restoreCloud(service, state),
  stop: () => {
    for (const { scheduler } of service.accounts) scheduler.stop();
  },
});

const notFound: Backend['notFound'] = ({ pathname }) =>
  refusal(404, 'NOT_FOUND', `There is no ${pathname} here.`);

const foreignOrigin = refusal(403, 'FORBIDDEN', 'This emulator serves its own machine only.');

const answer = async (
  service: Service,
  request: IncomingMessage,
  url: URL,
  keepBody: (body: string) => void,
): Promise<Answer> => {
  const { has, switches, allowOrigin } = service.settings;
  if (!isAllowedRequest(request, allowOrigin)) return foreignOrigin;
  if (allowOrigin !== undefined && request.method === 'OPTIONS') return { status: 204 };
  const present = [
    ...routes.filter(({ row }) => row === undefined || has(row)),
    ...jobsRoutes[switches.jobsApi],
  ];
  const match = matchRoute(present, request.method ?? '', url.pathname);
  if (!match) return notFound(url);
  if (match === 'other method')
    return refusal(405, 'METHOD_NOT_ALLOWED', `${url.pathname} takes another method.`);
  const key = keyOf(request);
  service.accountFaults.onRequest(key, `${request.method} ${url.pathname}`);
  const account = authenticate(service, match.route.isOpen ? service.apiKey : key);
  if ('status' in account) return account;
  const { params } = match;
  const parts = requestParts(request, { url, params, textLimit: switches.maxPromptBytes, keepBody });
  try {
    return await match.route.handle({ ...parts, service, account });
  } catch (error) {
    if (error instanceof BodyTooLarge) return refusal(413, 'REQUEST_TOO_LARGE', error.message);
    return refusal(500, 'INTERNAL_ERROR', error instanceof Error ? error.message : String(error));
  }
};

/** The key of a request, as a bearer's credential or in its own header. */
const keyOf = ({ headers }: IncomingMessage): string | undefined => {
  const own = headers['x-api-key'];
  return /^Bearer (\S+)$/iu.exec(headers.authorization ?? '')?.[1] ?? (Array.isArray(own) ? own[0] : own);
};

const admit = (service: Service, url: URL): ReturnType<Backend['acceptSocket']> => {
  const { has, switches } = service.settings;
  if (url.pathname !== '/ws' || !has('endpoint:GET /ws')) {
    return refusal(404, 'NOT_FOUND', 'There is no socket here.');
  }
  const key = url.searchParams.get('token') ?? undefined;
  service.accountFaults.onRequest(key, `GET ${url.pathname}`);
  const account = authenticate(service, key);
  if ('status' in account) {
    return switches.badToken === 'refuse'
      ? account
      : { onOpen: (client) => client.close(1008, 'unauthorized') };
  }
  return {
    onOpen: (client) => {
      const { scheduler, hub } = account;
      const sid = url.searchParams.get('clientId') || service.ids.hex(32);
      const remaining = scheduler.running().length + scheduler.waiting().length;
      hub.add(client, statusEvent(remaining, switches, sid));
    },
  };
};
