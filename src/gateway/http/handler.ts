import { addOrigin, foreignRequest, isDeclaredJson, preflight } from './origins.js';
import { authoriseWith } from './authorise.js';
import {
  type Caller,
  type CallerLimits,
  defaultLimits,
  defaultReauthorizeMs,
  type GatewayOptions,
} from '../options.js';
import { callerUsage, type CallerUsage } from './caller-usage.js';
import type { Clock } from '../../platform/platform.js';
import { HttpRefusal, type Refusal } from './refusal.js';
import { previewTickets } from './preview-tickets.js';
import { reauthorize } from './reauthorize.js';
import { refuse } from './respond.js';
import { readBody } from './read-body.js';
import type { Route } from './route.js';
import { routeTable } from './route-table.js';
import type { WatchTokens } from './watch-tokens.js';

/** What a handler needs besides its routes. */
export interface HandlerOptions extends Pick<
  GatewayOptions,
  | 'authorize'
  | 'limits'
  | 'reauthorizeMs'
  | 'mount'
  | 'origin'
  | 'allowOrigins'
  | 'allowCredentials'
  | 'loopbackOnly'
  | 'accessLog'
  | 'onError'
> {
  readonly routes: readonly Route[];
  readonly tokens: WatchTokens;
  readonly clock: Clock;
  /** True once the gateway goes down: only open routes answer then. */
  readonly isClosed?: () => boolean;
}

/** Makes a function that answers requests by routes, after the checks that all of them share; it never rejects. */
export const createHandler = (options: HandlerOptions): ((request: Request) => Promise<Response>) => {
  const { clock, mount = '', accessLog, onError, reauthorizeMs = defaultReauthorizeMs } = options;
  const find = routeTable(options.routes);
  const allowed = { origins: new Set(options.allowOrigins), credentials: options.allowCredentials === true };
  const authorise = authoriseWith(options.authorize, options.tokens);
  const usage = callerUsage(clock);
  const tickets = previewTickets(options.tokens, clock);

  /** The path below the mount: a framework may have taken the mount away already. */
  const match = (method: string, path: string): ReturnType<typeof find> => {
    const isMounted = mount !== '' && (path === mount || path.startsWith(`${mount}/`));
    const below = isMounted ? find(method, path.slice(mount.length)) : undefined;
    return below === undefined || below._tag === 'unknown' ? find(method, path) : below;
  };

  const answer = async (
    request: Request,
    seen: { caller?: Caller; errors: Route['errors'] },
  ): Promise<Response> => {
    const url = new URL(request.url);
    // Also below a path that is none of the gateway's: who asks there speaks API v2.
    if (/\/api\/v2(?:\/|$)/u.test(url.pathname)) seen.errors = 'v2';
    const foreign = options.loopbackOnly === true ? foreignRequest(request, allowed) : undefined;
    if (foreign !== undefined) throw new HttpRefusal(foreign);
    const flight = preflight(request, allowed);
    if (flight !== undefined) return flight;

    const found = match(request.method, url.pathname);
    if (found._tag !== 'found')
      throw new HttpRefusal(found._tag === 'unknown' ? notFound : notAllowed(found.allow));
    const { route, params } = found;
    seen.errors = route.errors;
    if (route.access !== 'open' && options.isClosed?.() === true) throw new HttpRefusal(goingDown);

    const ticket = url.searchParams.get('ticket') ?? undefined;
    url.searchParams.delete('ticket');
    const jobId = params['id'];
    const ask = (): Promise<Caller | Response> => authorise(route, { request, ticket, jobId });
    const caller = await ask();
    if (caller instanceof Response) return caller;
    if (route.access !== 'open') seen.caller = caller;

    const limits = { ...defaultLimits, ...options.limits, ...caller.limits };
    if (route.access !== 'open' && route.unlimited !== true) {
      const waitS = usage.request(caller.name, limits);
      if (waitS !== undefined) throw tooMany('rate_limited', 'Too many requests.', waitS);
    }
    const isUpload = route.body === 'upload';
    if (options.loopbackOnly === true && !isUpload && !isDeclaredJson(request))
      throw new HttpRefusal(notJson);
    const option = isUpload ? 'uploadBytes' : 'bodyBytes';
    const read = readBody(request, { option, bytes: limits[option] });
    const releaseUse = take(usage, route, caller, limits);
    // A ticket says what it opens, and ends by itself.
    const isAsked = route.stream === true && ticket === undefined;
    const authorization = isAsked
      ? reauthorize({ ask, caller, everyMs: reauthorizeMs, clock, onError })
      : undefined;
    const release = (): void => {
      releaseUse();
      authorization?.stop();
    };
    const previewTicket = (): string | Promise<string> => tickets({ caller, jobId });
    const revoked = authorization?.revoked;
    const base = `${options.origin ?? url.origin}${mount}`;
    let response: Response | Refusal | undefined;
    try {
      response = await route.handle({
        ...{ request, url, params, caller, base, mount, previewTicket, revoked, ended: release },
        ...read,
      });
    } finally {
      if (!(response instanceof Response) || route.stream !== true) release();
    }
    if (!(response instanceof Response)) throw new HttpRefusal(response);
    return response;
  };

  return async (request) => {
    const began = clock.now();
    const seen: { caller?: Caller; errors: Route['errors'] } = { errors: 'problem' };
    const response = await answer(request, seen).catch((error: unknown) => {
      if (error instanceof HttpRefusal) return refuse(error.refusal, seen.errors);
      onError?.(error);
      return refuse(crash, seen.errors);
    });
    const headers = new Headers(response.headers);
    // What nodes make is not to be taken for a page.
    headers.set('x-content-type-options', 'nosniff');
    addOrigin(headers, request, allowed);
    accessLog?.({
      method: request.method,
      path: new URL(request.url).pathname,
      status: response.status,
      ms: clock.now() - began,
      ...(seen.caller === undefined ? {} : { caller: seen.caller.name }),
    });
    const isHead = request.method === 'HEAD';
    if (isHead) await response.body?.cancel().catch(() => undefined);
    return new Response(isHead ? null : response.body, { status: response.status, headers });
  };
};

/** Counts a stream or an upload against its caller's limit. */
const take = (usage: CallerUsage, route: Route, caller: Caller, limits: CallerLimits): (() => void) => {
  const what = route.stream === true ? 'streams' : route.body === 'upload' ? 'uploads' : undefined;
  if (what === undefined) return () => undefined;
  // Clients of API v2 then poll, and come again after a 429.
  if (what === 'streams' && limits.streams === 0) throw new HttpRefusal(noStreams);
  const release = usage.take(caller.name, what, limits[what]);
  if (release === undefined) throw tooMany(`too_many_${what}`, `At most ${limits[what]} ${what} at once.`, 5);
  return release;
};

const tooMany = (code: string, message: string, retryAfterS: number): HttpRefusal =>
  new HttpRefusal({ status: 429, code, message, retryAfterS });

const notFound: Refusal = { status: 404, code: 'not_found', message: 'There is nothing at this address.' };

const notAllowed = (allow: readonly string[]): Refusal => ({
  status: 405,
  code: 'method_not_allowed',
  message: `This address takes ${allow.join(', ')}.`,
  headers: { allow: allow.join(', ') },
});

const noStreams: Refusal = {
  status: 501,
  code: 'not_implemented',
  message: 'This gateway has no streams of events.',
};

const notJson: Refusal = {
  status: 415,
  code: 'unsupported_media_type',
  message: 'The body has to be declared as application/json.',
};

const crash: Refusal = { status: 500, code: 'upstream_error', message: 'The gateway failed.' };

const goingDown: Refusal = {
  status: 503,
  code: 'going_down',
  message: 'The gateway is going down.',
  retryAfterS: 1,
};
