import type { IncomingMessage } from 'node:http';
import type { Dialect } from '../options.js';
import { isFromHere } from './is-from-here.js';

/**
 * Says whether the server answers a request: it comes from this machine, or from the origin in `allowOrigin` (`*` allows
 * every origin).
 *
 * The `Host` must be a loopback name in either case, which stops DNS rebinding.
 */
export const isWelcome = (
  { headers: { host, origin } }: Pick<IncomingMessage, 'headers'>,
  allowOrigin: string | undefined,
): boolean => isFromHere({ headers: { host, origin: isAllowed(origin, allowOrigin) ? undefined : origin } });

/** Whether the origin of a page is one that `allowOrigin` names. */
export const isAllowed = (origin: string | undefined, allowOrigin: string | undefined): boolean =>
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
        'access-control-allow-headers': `Content-Type, Authorization${dialect === 'local' ? '' : ', X-API-Key'}`,
        'access-control-allow-credentials': 'true',
      };
