import type { Refusal } from './refusal.js';

/** Which pages may call, and whether their browser sends cookies along. */
export interface AllowedOrigins {
  readonly origins: ReadonlySet<string>;
  readonly credentials: boolean;
}

/**
 * Answers the preflight of a page whose origin is listed; undefined for any other request. Such a page may send any header: tracing and
 * gateways in between have theirs.
 */
export const preflight = (request: Request, { origins }: AllowedOrigins): Response | undefined => {
  if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method')) return undefined;
  const origin = request.headers.get('origin');
  if (origin === null || !origins.has(origin)) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
      'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '',
      vary: 'Access-Control-Request-Headers',
      'access-control-max-age': '600',
      // The address space of a private network needs its own consent.
      ...(request.headers.get('access-control-request-private-network') === 'true'
        ? { 'access-control-allow-private-network': 'true' }
        : {}),
    },
  });
};

/** Adds what a browser needs to show the answer to a page of a listed origin; nothing where no origin is listed. */
export const addOrigin = (
  headers: Headers,
  request: Request,
  { origins, credentials }: AllowedOrigins,
): void => {
  if (origins.size === 0) return;
  headers.append('vary', 'Origin');
  const origin = request.headers.get('origin');
  if (origin === null || !origins.has(origin)) return;
  headers.set('access-control-allow-origin', origin);
  if (credentials) headers.set('access-control-allow-credentials', 'true');
  headers.set(
    'access-control-expose-headers',
    'accept-ranges, content-disposition, content-length, content-range, etag, idempotency-replayed, location, retry-after, x-comfy-request-id, x-request-id',
  );
};

/**
 * Why a gateway without tokens refuses a request. Any page that its user visits can send requests to this machine, also under a name
 * of its own that leads here; what such a request can't change are its `Host`, `Origin` and `Sec-Fetch-Site`.
 */
export const crossOriginRequest = (request: Request, { origins }: AllowedOrigins): Refusal | undefined => {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  if (!isLoopbackName(hostnameOf(host))) {
    return { status: 403, code: 'forbidden_host', message: 'This gateway answers to loopback names only.' };
  }
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  // A page that this gateway has served itself, such as the studio, under the loopback name that the request has.
  const isOwn = origin === `${new URL(request.url).protocol}//${host}`;
  const isListed = isOwn || (origin !== null && origins.has(origin));
  const isOfAPage = origin !== null || site === 'cross-site' || site === 'same-site';
  return isOfAPage && !isListed
    ? { status: 403, code: 'forbidden_origin', message: 'Pages of this origin may not use this gateway.' }
    : undefined;
};

/** Whether a name means this machine, wherever it is resolved. */
export const isLoopbackName = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/u.test(hostname);

const hostnameOf = (host: string): string => {
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return '';
  }
};

/** Whether the body is declared as JSON, which a page can't do without a preflight; a request without a body passes. */
export const isDeclaredJson = ({ headers, body }: Request): boolean =>
  body === null ||
  headers.get('content-length') === '0' ||
  /^application\/json\s*(?:;|$)/iu.test(headers.get('content-type') ?? '');
