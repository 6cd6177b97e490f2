import type { IncomingMessage } from 'node:http';
import { refusal, type Answer } from '../http/answer.js';
import { BodyTooLarge, requestParts } from '../http/api-request.js';
import { door } from '../http/authenticate.js';
import { isWelcome } from '../http/cross-origin.js';
import { matchRoute } from '../http/match-route.js';
import { routes } from './cloud-routes.js';
import { statusEvent } from '../scheduler/events.js';
import type { Service } from '../service.js';
import type { World } from '../world.js';
import { serveSigned } from './routes/view.js';

/** The hosted service: keys, tiers, several jobs at once, files behind signed addresses. */
export const createCloudWorld = (service: Service): World => ({
  apiKey: service.apiKey,
  knowsKey: service.knowsKey,
  setBilling: service.setBilling,
  answer: async (request, url, keepBody) =>
    service.jobAnswers(request.method ?? '', url, await answer(service, request, url, keepBody), missing),
  missing,
  jobs: () => service.faults.book.jobs(),
  admit: (request, url) =>
    isWelcome(request, service.settings.allowOrigin) ? admit(service, url) : fromElsewhere,
  serve: (request, url) =>
    isWelcome(request, service.settings.allowOrigin)
      ? serveSigned(service, request, url.pathname)
      : fromElsewhere,
  stop: () => {
    for (const { scheduler } of service.accounts) scheduler.stop();
  },
});

const missing: World['missing'] = ({ pathname }) =>
  refusal(404, 'NOT_FOUND', `There is no ${pathname} here.`);

const fromElsewhere = refusal(403, 'FORBIDDEN', 'This emulator serves its own machine only.');

const answer = async (
  service: Service,
  request: IncomingMessage,
  url: URL,
  keepBody: (body: string) => void,
): Promise<Answer> => {
  const { has, switches, allowOrigin } = service.settings;
  if (!isWelcome(request, allowOrigin)) return fromElsewhere;
  if (allowOrigin !== undefined && request.method === 'OPTIONS') return { status: 204 };
  const present = routes.filter(({ row }) => row === undefined || has(row));
  const match = matchRoute(present, request.method ?? '', url.pathname);
  if (!match) return missing(url);
  if (match === 'other method')
    return refusal(405, 'METHOD_NOT_ALLOWED', `${url.pathname} takes another method.`);
  const header = request.headers['x-api-key'];
  const key = Array.isArray(header) ? header[0] : header;
  service.accountFaults.meet(key, `${request.method} ${url.pathname}`);
  const account = door(service, key);
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

const admit = (service: Service, url: URL): ReturnType<World['admit']> => {
  const { has, switches } = service.settings;
  if (url.pathname !== '/ws' || !has('endpoint:GET /ws')) {
    return refusal(404, 'NOT_FOUND', 'There is no socket here.');
  }
  const key = url.searchParams.get('token') ?? undefined;
  service.accountFaults.meet(key, `GET ${url.pathname}`);
  const account = door(service, key);
  if ('status' in account) {
    return switches.badToken === 'refuse'
      ? account
      : { welcome: (outlet) => outlet.close(1008, 'unauthorized') };
  }
  return {
    welcome: (outlet) => {
      const { scheduler, hub } = account;
      const sid = url.searchParams.get('clientId') || service.ids.hex(32);
      const remaining = scheduler.running().length + scheduler.waiting().length;
      hub.add(outlet, statusEvent(remaining, switches, sid));
    },
  };
};
