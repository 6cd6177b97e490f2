import type { Dialect } from '../options.js';
import type { IncomingMessage } from 'node:http';

/**
 * Whether the server answers a request: it comes from this machine, or from the origin in `allowOrigin` (`*` allows
 * every origin).
 *
 * The `Host` must be a loopback name in either case, which stops DNS rebinding.
 */
export const isAllowedRequest = (
  { headers: { host, origin } }: Pick<IncomingMessage, 'headers'>,
  allowOrigin: string | undefined,
): boolean =>
  isLoopbackRequest({ headers: { host, origin: isAllowedOrigin(origin, allowOrigin) ? undefined : origin } });

/** Whether the origin of a page is one that `allowOrigin` names. */
export const isAllowedOrigin = (origin: string | undefined, allowOrigin: string | undefined): boolean =>
  allowOrigin !== undefined && (allowOrigin === '*' || allowOrigin === origin);

/** The headers that let pages of `allowOrigin` read an answer; a local server lets them send no API key. */
export const crossOriginHeaders = (
  allowOrigin: string | undefined,
  dialect: Dialect,
): Readonly<Record<string, string>> =>
  allowOrigin === undefined
    ? {}
    : {
        'access-control-allow-origin': allowOrigin,
        'access-control-allow-methods': 'POST, GET, DELETE, PUT, OPTIONS, PATCH',
        'access-control-allow-headers': allowedHeaders[dialect],
        ...(dialect === 'v2' ? { 'access-control-expose-headers': 'Retry-After, Content-Range, ETag' } : {}),
        'access-control-allow-credentials': 'true',
      };

const allowedHeaders: Readonly<Record<Dialect, string>> = {
  local: 'Content-Type, Authorization',
  cloud: 'Content-Type, Authorization, X-API-Key',
  v2: 'Content-Type, Authorization, X-API-Key, Idempotency-Key, Range',
};

/**
 * Whether the headers of a request name this machine: its `Host` is a loopback name, and so is its `Origin`, if it has
 * one. This refuses foreign pages and DNS names that resolve to loopback.
 */
export const isLoopbackRequest = ({ headers: { host, origin } }: Pick<IncomingMessage, 'headers'>): boolean =>
  (host === undefined || isLoopback(`http://${host}`)) && (origin === undefined || isLoopback(origin));

const isLoopback = (address: string): boolean =>
  URL.canParse(address) &&
  /^(?:(?:[^.]+\.)*localhost|127(?:\.\d+){3}|\[::1\])$/u.test(new URL(address).hostname);
