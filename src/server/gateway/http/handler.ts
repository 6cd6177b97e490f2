import type { AccessEntry } from '../options.js';
import { addOrigin, crossOriginRequest, preflight } from './origins.js';
import type { GatewayEnv } from './gateway-env.js';
import type { HandlerOptions } from './handler-options.js';
import { Hono } from 'hono';
import { HttpRefusal, notFound, type Refusal } from './refusal.js';
import type { MiddlewareHandler } from 'hono';
import { errorsAt, refuse } from './respond.js';
import { requestIdOf } from '../../../core/log/request-id.js';
import type { Route } from './route.js';
import { routeServer } from './serve-route.js';
import { secureHeaders } from 'hono/secure-headers';
import { isServiceError } from '../../../core/errors/tagged-error.js';

/**
 * Makes a function that answers requests by routes, after the checks that all of them share; it never rejects.
 *
 * The routes are there below the mount, and at the root as well: a framework may have taken the mount away already.
 */
export const createHandler = (options: HandlerOptions): ((request: Request) => Promise<Response>) => {
  const { routes, mount = '', onError } = options;
  const serve = routeServer(options);
  const app = new Hono<GatewayEnv>();
  app.onError((error, { var: { errors } }) => {
    if (error instanceof HttpRefusal) return refuse(error.refusal, errors);
    onError?.(error);
    return refuse(keepsNothing(error) ? notStored : crash, errors);
  });
  app.use(
    addressed,
    logged(options),
    withoutBodyOfHead,
    typedErrors,
    secureHeaders(ofData),
    pagesOf(options),
  );
  for (const base of new Set([mount, ''])) {
    for (const route of routes) app.on(methodOf(route), base + route.path, serve(route));
    for (const [path, allow] of methodsByPath(routes)) app.all(base + path, () => refused(notAllowed(allow)));
  }
  app.notFound(() => refused(notFound));
  return async (request) => app.fetch(request);
};

/** Hono answers `HEAD` by the routes of `GET`. */
const methodOf = ({ method }: Route): string => (method === 'HEAD' ? 'GET' : method);

const methodsByPath = (routes: readonly Route[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of routes) {
    const known = methods.get(path) ?? new Set();
    methods.set(path, known.add(method));
    if (method === 'GET') known.add('HEAD');
  }
  return methods;
};

/** Parses the address, once for all that follows. */
const addressed: MiddlewareHandler<GatewayEnv> = async (context, next) => {
  context.set('url', new URL(context.req.url));
  await next();
};

const logged =
  ({ accessLog, clock }: HandlerOptions): MiddlewareHandler<GatewayEnv> =>
  async (context, next) => {
    const began = clock.now();
    await next();
    const { req, res, var: seen } = context;
    const entry: AccessEntry = {
      method: req.method,
      path: seen.url.pathname,
      status: res.status,
      ms: clock.now() - began,
    };
    const requestId = requestIdOf(req.header('x-request-id'));
    if (requestId !== undefined && !res.headers.has('x-request-id'))
      context.header('x-request-id', requestId);
    accessLog?.({
      ...entry,
      ...(seen.caller !== undefined && { caller: seen.caller.name }),
      ...(requestId !== undefined && { requestId }),
    });
  };

/** Cancels the body of an answer to `HEAD`, which nobody reads. */
const withoutBodyOfHead: MiddlewareHandler = async (context, next) => {
  await next();
  if (context.req.method === 'HEAD') await context.res.body?.cancel().catch(() => undefined);
};

/** What is thrown is an `Error` from here on. */
const typedErrors: MiddlewareHandler<GatewayEnv> = async (context, next) => {
  const { pathname } = context.var.url;
  context.set('errors', errorsAt(pathname));
  if (!isDecodable(pathname)) throw new HttpRefusal(notFound);
  try {
    await next();
  } catch (error) {
    throw error instanceof Error ? error : new Error(String(error), { cause: error });
  }
};

/** Whether every escape of a path can be decoded; Hono leaves those that can't as they are. */
const isDecodable = (path: string): boolean => {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};

/** The answers are data, which no browser is to take for a page. Pages of other origins show pictures, and TLS is the server's own. */
const ofData: Parameters<typeof secureHeaders>[0] = {
  crossOriginResourcePolicy: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  strictTransportSecurity: false,
};

/** Which pages may call. */
const pagesOf = ({
  loopbackOnly = false,
  allowOrigins,
  allowCredentials: credentials = false,
}: HandlerOptions): MiddlewareHandler<GatewayEnv> => {
  const allowed = { origins: new Set(allowOrigins), credentials };
  return async (context, next) => {
    const { raw } = context.req;
    const refused = loopbackOnly ? crossOriginRequest(raw, allowed) : undefined;
    if (refused !== undefined) throw new HttpRefusal(refused);
    const flight = preflight(raw, allowed);
    if (flight === undefined) await next();
    else context.res = flight;
    addOrigin(context.res.headers, raw, allowed);
  };
};

const refused = (refusal: Refusal): never => {
  throw new HttpRefusal(refusal);
};

const notAllowed = (methods: ReadonlySet<string>): Refusal => {
  const allow = [...methods].join(', ');
  return {
    ...{ status: 405, code: 'method_not_allowed', message: `This address takes ${allow}.` },
    headers: { allow },
  };
};

/** What the stores of the gateway's ports reject with while they can keep nothing: a disk that is full, a server that takes no writes. */
const keepsNothing = (error: unknown): boolean =>
  isServiceError(error) && (error._tag === 'FileSystem' || error._tag === 'Network');

const notStored: Refusal = {
  status: 503,
  code: 'not_stored',
  message: 'The gateway can store nothing now, so it takes nothing new.',
  retryAfterS: 5,
};

const crash: Refusal = { status: 500, code: 'upstream_error', message: 'The gateway failed.' };
