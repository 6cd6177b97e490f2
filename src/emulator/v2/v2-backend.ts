import { type Answer, json } from '../http/answer.js';
import type { Backend } from '../backend.js';
import { BodyTooLarge, requestParts } from '../http/request.js';
import { cancelJob, getJob, getLogs, getWorkflow, listJobs } from './routes/jobs.js';
import { createJobDocumentFaults } from './job-document-faults.js';
import { deleteAsset, fromHash, getAsset, hasHash, uploadAsset } from './routes/assets.js';
import { envelope, errorDocument } from './envelope.js';
import type { ForbiddenCode } from '../fault.js';
import { getContent } from './routes/content.js';
import { getEvents } from './routes/events.js';
import type { IncomingMessage } from 'node:http';
import { isAllowedRequest } from '../http/cross-origin.js';
import { matchRoute } from '../http/match-route.js';
import { restoreV2, saveV2 } from './v2-state.js';
import { submitJob } from './routes/submit-job.js';
import { missing, tooMany } from './refusals.js';
import type { V2Account, V2Handler, V2Service } from './v2-service.js';

/** One route below `/api/v2`; `{…}` in its path matches one segment. */
interface V2Route {
  readonly method: 'GET' | 'POST' | 'HEAD' | 'DELETE';
  readonly path: string;
  readonly handle: V2Handler;
}

const routes: readonly V2Route[] = [
  { method: 'POST', path: '/api/v2/jobs', handle: submitJob },
  { method: 'GET', path: '/api/v2/jobs', handle: listJobs },
  { method: 'GET', path: '/api/v2/jobs/{id}', handle: getJob },
  { method: 'GET', path: '/api/v2/jobs/{id}/workflow', handle: getWorkflow },
  { method: 'GET', path: '/api/v2/jobs/{id}/events', handle: getEvents },
  { method: 'GET', path: '/api/v2/jobs/{id}/logs', handle: getLogs },
  { method: 'POST', path: '/api/v2/jobs/{id}/cancel', handle: cancelJob },
  { method: 'POST', path: '/api/v2/assets', handle: uploadAsset },
  { method: 'POST', path: '/api/v2/assets/from-hash', handle: fromHash },
  { method: 'HEAD', path: '/api/v2/assets/by-hash/{hash}', handle: hasHash },
  { method: 'GET', path: '/api/v2/assets/{id}', handle: getAsset },
  { method: 'DELETE', path: '/api/v2/assets/{id}', handle: deleteAsset },
  { method: 'GET', path: '/api/v2/assets/{id}/content', handle: getContent },
];

/** A service that speaks API v2; `v1` serves the older interface of the same accounts where the switch says so. */
export const createV2Backend = (service: V2Service, v1: Backend): Backend => {
  const { settings, faults } = service.base;
  const { switches, allowOrigin, clock } = settings;
  const jobFaults = createJobDocumentFaults(faults, clock, missing(service, 'job'));
  return {
    ...v1,
    answer: async (request, url, keepBody) => {
      if (switches.v1Routes && !isV2(url)) return v1.answer(request, url, keepBody);
      const result = await answer(service, request, url, keepBody);
      return jobFaults(request.method ?? '', url.pathname, result);
    },
    notFound: (url) => (switches.v1Routes && !isV2(url) ? v1.notFound(url) : nothingAt(service, url)),
    acceptSocket: (request, url) => {
      if (switches.v1Routes) return v1.acceptSocket(request, url);
      return isAllowedRequest(request, allowOrigin) ? notFound(url) : foreignOrigin;
    },
    save: () => saveV2(service),
    restore: (state) => restoreV2(service, state),
    stop: () => {
      v1.stop();
      for (const { jobs } of service.accounts.values()) jobs.stop();
      for (const stream of service.streams.open()) stream.cut();
    },
  };
};

const isV2 = ({ pathname }: URL): boolean => pathname === '/api/v2' || pathname.startsWith('/api/v2/');

const notFound: Backend['notFound'] = ({ pathname }) =>
  envelope(404, 'not_found', `There is no ${pathname} here.`);

/** The 404 of a route whose job or asset is hidden by a fault. */
const nothingAt = (service: V2Service, url: URL): Answer => {
  const [, kind] = /^\/api\/v2\/(job|asset)s\/./u.exec(url.pathname) ?? [];
  return kind === 'job' || kind === 'asset' ? missing(service, kind) : notFound(url);
};

const foreignOrigin = envelope(403, 'forbidden', 'This emulator serves its own machine only.');

const answer = async (
  service: V2Service,
  request: IncomingMessage,
  url: URL,
  keepBody: (body: string) => void,
): Promise<Answer> => {
  const { settings, accountFaults } = service.base;
  const { switches, allowOrigin } = settings;
  if (!isAllowedRequest(request, allowOrigin)) return foreignOrigin;
  if (allowOrigin !== undefined && request.method === 'OPTIONS') return { status: 204 };
  const match = matchRoute(routes, request.method ?? '', url.pathname);
  if (!match) return notFound(url);
  if (match === 'other method') {
    return envelope(405, 'method_not_allowed', `${url.pathname} takes another method.`);
  }
  const key = keyOf(request, switches.apiKeyHeader);
  accountFaults.onRequest(key, `${request.method} ${url.pathname}`);
  const account = authenticate(service, key);
  if ('status' in account) return account;
  if (!account.limit.admit()) return tooMany(service, 'rate_limited', 'The account asks too often.');
  const parts = requestParts(request, {
    ...{ url, params: match.params, keepBody },
    textLimit: switches.maxPromptBytes,
  });
  const origin = `http://${request.headers.host ?? `127.0.0.1:${request.socket.localPort ?? 80}`}`;
  try {
    return await match.route.handle({ ...parts, service, account, request, origin });
  } catch (error) {
    if (error instanceof BodyTooLarge) return envelope(413, 'payload_too_large', error.message);
    return envelope(500, 'upstream_error', error instanceof Error ? error.message : String(error));
  }
};

const keyOf = (
  { headers: { authorization = '', 'x-api-key': header } }: IncomingMessage,
  acceptsHeader: boolean,
): string | undefined => {
  const [, bearer] = /^Bearer +(\S+)$/iu.exec(authorization) ?? [];
  return bearer ?? (acceptsHeader && typeof header === 'string' ? header : undefined);
};

/** The account of a key; a revoked key ends its streams. */
const authenticate = (service: V2Service, key: string | undefined): V2Account | Answer => {
  const { base } = service;
  const account = base.accountOf(key);
  if (!account) {
    const known = key === undefined ? undefined : base.ownerOf(key);
    const error = errorDocument('credential_expired', 'The API key is not valid any more.');
    if (known) for (const stream of service.streams.open(service.accounts.get(known))) stream.fail(error);
    const message = key === undefined ? 'The request carries no API key.' : 'The API key is not known.';
    return envelope(401, 'unauthorized', message);
  }
  const code = base.accountFaults.forbidden(key);
  if (code !== undefined) return forbidden(code);
  const { tier, switches } = base.settings;
  if (tier === 'free' && switches.freeTier === '403') {
    return envelope(403, 'forbidden', 'The free tier has no access to the API.');
  }
  return service.accounts.get(account) ?? envelope(401, 'unauthorized', 'The API key is not known.');
};

/** The 403 of a credential; the id of the organisation stands beside the code. */
const forbidden = (code: ForbiddenCode): Answer => {
  const message = `The credential may not do this: ${code}.`;
  if (code !== 'sso_required') return envelope(403, 'forbidden', message);
  const { error } = errorDocument(code, message);
  return json({ error: { ...error, organization_id: '0e0e0e0e-0000-4000-8000-000000000001' } }, 403);
};
