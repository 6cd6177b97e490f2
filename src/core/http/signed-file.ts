import { type CallContext, failureOf } from './failure.js';
import type { CallScope } from './call-scope.js';
import { canResume, partContent, rangeOf } from './part-content.js';
import { fileContent, wholeExtent } from './file-content.js';
import { downloadFailed, type FileBodyOptions } from './file-body.js';
import * as E from '../protocol/either.js';
import type { FileBytes, ResumePoint } from './rest-options.js';
import { hostClass } from '../platform/host-class.js';
import type { HttpRequest, HttpResponse, Platform } from '../platform/platform.js';
import { sampleOf } from '../redaction/redact.js';
import { storageRefusal } from './storage-refusal.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';

/** Where the way to a file begins, and where its bytes go on. */
export interface SignedFileOptions extends FileBodyOptions, Pick<HopOptions, 'platform' | 'home' | 'from'> {
  /** Where to resume; without a strong ETag the request asks for the whole file. */
  readonly resume: ResumePoint | undefined;
}

/**
 * Fetches the file that a signed address leads to, its body still to come (see {@link followSigned} for what is followed).
 *
 * Left is also `DownloadFailed` for a part that does not begin where `resume` says, or belongs to other bytes
 * (docs/protocol.md, chapter 8).
 */
export const signedFile = async (
  location: string | undefined,
  { resume: asked, ...options }: SignedFileOptions,
): Promise<E.Either<ServiceError, FileBytes>> => {
  const resume = asked !== undefined && canResume(asked) ? asked : undefined;
  const answer = await followSigned(location, { ...options, resume });
  if (E.isLeft(answer)) return answer;
  const { right: response } = answer;
  return resume !== undefined && response.status === 206
    ? partContent(response, resume, options)
    : fileContent(response, wholeExtent(response), options);
};

/** Where a chain of redirects begins, which file it leads to, and the call that it is part of. */
export interface HopOptions {
  readonly platform: Platform;
  /** The origin of the base URL: storage may be of the same class as its host. */
  readonly home: string;
  /** The address that answered with the first `location`. */
  readonly from: string;
  readonly filename: string;
  readonly resume?: ResumePoint | undefined;
  readonly scope: CallScope;
  readonly context: CallContext;
}

/**
 * Fetches a signed address by requests without any credential of the client: no key, no cookie, no header of the caller.
 *
 * At most three hops. Each must be `https:`, or of the class of the base URL's host (loopback for loopback, private for
 * private); link-local and metadata addresses are never asked. That holds for the host name and, where the platform can see
 * them, for the addresses that it resolves to. Left is `UnsafeRedirect` for an address that is not followed, and
 * `DownloadFailed` for an answer that is no file; neither error holds more of the address than its host
 * (docs/protocol.md, chapter 8).
 */
export const followSigned = async (
  location: string | undefined,
  options: HopOptions,
): Promise<E.Either<ServiceError, HttpResponse>> => {
  const { context } = options;
  let [next, from] = [location, options.from];
  for (let hop = 1; hop <= maxHops; hop += 1) {
    const target = readTarget(next, from, options);
    if (E.isLeft(target)) return target;
    const answer = await fetchBare(target.right, options);
    if (E.isLeft(answer) || isFile(answer.right, options)) return answer;
    const { status, headers } = answer.right;
    if (!redirects.has(status)) return E.left(await storageRefusal(answer.right, options));
    answer.right.discard();
    [next, from] = [headers['location'], target.right.url.href];
  }
  return refuse(`more than ${maxHops} redirects`, context, new URL(from).host);
};

const maxHops = 3;
const maxLocation = 16 * 1024;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** An address that may be asked, and the class that the resolved addresses must have. */
interface Target {
  readonly url: URL;
  readonly addressClass: NonNullable<HttpRequest['addressClass']>;
}

const readTarget = (
  location: string | undefined,
  from: string,
  { home, context }: HopOptions,
): E.Either<ServiceError, Target> => {
  if (location === undefined || location.trim() === '') {
    return refuse('the redirect names no address', context);
  }
  if (location.length > maxLocation) return refuse('its address is too long', context);
  const url = parse(location, from);
  if (url === undefined) return refuse('its address is not readable', context);
  const { host } = url;
  if (url.username !== '' || url.password !== '') {
    return refuse('its address holds credentials', context, host);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return refuse(`its scheme is ${url.protocol}`, context);
  }
  const addressClass = hostClass(url.hostname);
  const homeClass = hostClass(new URL(home).hostname);
  const own = addressClass === homeClass && addressClass !== 'public';
  if (addressClass === 'forbidden' || (addressClass !== 'public' && !own)) {
    return refuse(`its address is ${addressClass}`, context, host);
  }
  return url.protocol === 'https:' || own
    ? E.right({ url, addressClass })
    : refuse('it is not encrypted', context, host);
};

const refuse = (
  reason: string,
  { redact, endpoint }: CallContext,
  address = '',
): E.Either<ServiceError, never> => {
  const host = sampleOf(address, maxShown, redact);
  const why = sampleOf(reason, maxShown, redact);
  return E.left(
    serviceError('UnsafeRedirect', {
      message: `The download was sent ${host === '' ? 'somewhere' : `to ${host}`} that is not followed: ${why}.`,
      endpoint,
      host,
      reason: why,
    }),
  );
};

/** Host names are shorter; schemes have no bound. */
const maxShown = 260;

const parse = (location: string, from: string): URL | undefined => {
  try {
    return new URL(location, from);
  } catch {
    return undefined;
  }
};

const fetchBare = async (
  { url: { href, host }, addressClass }: Target,
  { platform, scope, context, resume, filename }: HopOptions,
): Promise<E.Either<ServiceError, HttpResponse>> => {
  try {
    scope.patient();
    const response = await scope.race(
      platform.request({
        method: 'GET',
        url: href,
        headers: { accept: '*/*', 'accept-encoding': 'identity', ...rangeOf(resume) },
        addressClass,
        streamed: true,
        signal: scope.signal,
      }),
      (late) => late.discard(),
    );
    return E.right(response);
  } catch (cause) {
    const { error } = failureOf(cause, scope, 'sent', context);
    if (error._tag !== 'Network') return E.left(error);
    return error.code === 'EADDRCLASS'
      ? refuse('its name leads to an address of another class', context, host)
      : E.left(downloadFailed(filename, `the storage could not be reached (${error.code})`, context));
  }
};

/** A part counts only where the request asked for one. */
const isFile = ({ status }: HttpResponse, { resume }: HopOptions): boolean =>
  status === 200 || (status === 206 && resume !== undefined);
