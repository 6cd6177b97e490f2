import * as E from 'fp-ts/lib/Either.js';
import type { ServiceError } from '../protocol/errors.js';
import { hostClass, type HostClass } from '../protocol/host-class.js';
import { serviceError } from '../protocol/service-error.js';
import type { HttpResponse, Platform } from '../socket/platform.js';
import type { CallScope } from './call-scope.js';
import { downloadFailed } from './download-failed.js';
import { type CallContext, failureOf } from './failure.js';

/** Where a signed address came from and what it is for. */
export interface HopOptions {
  readonly platform: Platform;
  /** The class of the base URL's host: storage may be of the same one. */
  readonly homeClass: HostClass;
  /** The address that answered with the first `location`. */
  readonly from: string;
  readonly filename: string;
  readonly scope: CallScope;
  readonly context: CallContext;
}

/**
 * Fetches a signed address by requests that carry nothing of ours: no key, no cookie, no caller's header.
 *
 * At most three hops. Each must be `https:`, or of the class of the base URL's host (loopback for loopback, private for
 * private); link-local and metadata addresses are never asked. Left is `UnsafeRedirect` for an address that is not
 * followed, `DownloadFailed` for an answer that is no file; neither holds more of the address than its host
 * (docs/protocol.md, chapter 8).
 */
export const followSigned = async (
  location: string | undefined,
  options: HopOptions,
): Promise<E.Either<ServiceError, HttpResponse>> => {
  const { filename, context } = options;
  let [next, from] = [location, options.from];
  for (let hop = 1; hop <= maxHops; hop += 1) {
    const target = readTarget(next, from, options.homeClass);
    if (E.isLeft(target)) return target;
    const answer = await fetchBare(target.right, options);
    if (E.isLeft(answer) || answer.right.status === 200) return answer;
    const { status, headers } = answer.right;
    answer.right.discard();
    if (!redirects.has(status)) {
      return E.left(downloadFailed(filename, `the storage answered ${status}`, context, status));
    }
    [next, from] = [headers['location'], target.right.href];
  }
  return E.left(
    serviceError('UnsafeRedirect', { host: hostOf(from), reason: `more than ${maxHops} redirects` }),
  );
};

const maxHops = 3;
const maxLocation = 16 * 1024;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const readTarget = (
  location: string | undefined,
  from: string,
  homeClass: HostClass,
): E.Either<ServiceError, URL> => {
  const refuse = (reason: string, host = ''): E.Either<ServiceError, URL> =>
    E.left(
      serviceError('UnsafeRedirect', {
        message: `The download was sent ${host === '' ? 'somewhere' : `to ${host}`} that is not followed: ${reason}.`,
        host,
        reason,
      }),
    );
  if (location === undefined || location.trim() === '') return refuse('the redirect names no address');
  if (location.length > maxLocation) return refuse('its address is too long');
  const url = parse(location, from);
  if (url === undefined) return refuse('its address is not readable');
  if (url.username !== '' || url.password !== '') return refuse('its address holds credentials', url.host);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse(`its scheme is ${url.protocol}`);
  const target = hostClass(url.hostname);
  const own = target === homeClass && (target === 'loopback' || target === 'private');
  if (target !== 'public' && !own) return refuse(`its address is ${target}`, url.host);
  return url.protocol === 'https:' || own ? E.right(url) : refuse('it is not encrypted', url.host);
};

const parse = (location: string, from: string): URL | undefined => {
  try {
    return new URL(location, from);
  } catch {
    return undefined;
  }
};

const hostOf = (url: string): string => parse(url, url)?.host ?? '';

const fetchBare = async (
  { href }: URL,
  { platform, scope, context }: HopOptions,
): Promise<E.Either<ServiceError, HttpResponse>> => {
  try {
    const response = await scope.race(
      platform.request({
        method: 'GET',
        url: href,
        headers: { accept: '*/*', 'accept-encoding': 'identity' },
        signal: scope.signal,
      }),
      (late) => late.discard(),
    );
    return E.right(response);
  } catch (cause) {
    return E.left(failureOf(cause, scope, true, context).error);
  }
};
