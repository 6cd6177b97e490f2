import { CallScope } from '../call-scope.js';
import { downloadFailed } from '../file-body.js';
import * as E from '../../protocol/either.js';
import { type FetchOptions, fetchFile, readableContent } from '../view.js';
import type { FileContent } from '../rest-options.js';
import type { HttpConnection } from '../connection.js';
import type { ServiceError } from '../../errors/errors.js';
import type { ServiceUrls } from '../service-urls.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/**
 * Fetches a file by the link that the service gave for it: below the base URL as every call, with the key; anywhere else without
 * it, and only where a redirect would be followed (docs/protocol.md, chapters 8 and 12.1).
 */
export const linkedFile =
  (
    connection: HttpConnection,
    link: string,
    filename: string,
    options: FetchOptions,
  ): TaskEither<ServiceError, FileContent> =>
  () => {
    const url = resolveLink(connection.urls, link);
    const path = url === undefined ? undefined : pathBelowBase(connection.urls, url);
    if (url === undefined || path === undefined) {
      return foreignFile(connection, url ?? link, filename, options);
    }
    const endpoint = {
      method: 'GET',
      path,
      query: Object.fromEntries(new URL(url).searchParams),
      headers: { 'accept-encoding': 'identity' },
      idempotency: 'always',
      streamed: true,
      read: E.right,
    } as const;
    return fetchFile(connection, endpoint, filename, options)();
  };

/**
 * Resolves a link: one that begins with `/` against the origin of the base, or against the interface's root where it leaves that
 * out; undefined for what is no address.
 */
export const resolveLink = (urls: Pick<ServiceUrls, 'api' | 'origin'>, link: string): string | undefined => {
  if (/^https?:/iu.test(link)) return URL.canParse(link) ? link : undefined;
  if (!link.startsWith('/') || link.startsWith('//')) return undefined;
  return link.includes('/api/') ? urls.origin + link : urls.api(`/api/v2${link}`);
};

/** The path of an address from the service's root on; undefined if it leads out of the base URL. */
export const pathBelowBase = (urls: ServiceUrls, url: string): string | undefined => {
  const { origin, pathname } = new URL(url);
  const base = new URL(urls.api('/'));
  return origin === base.origin && pathname.startsWith(base.pathname)
    ? pathname.slice(base.pathname.length - 1)
    : undefined;
};

const foreignFile = async (
  { platform, urls, signedFile, closed, redact }: HttpConnection,
  url: string,
  filename: string,
  { timeoutMs = 30_000, signal, resume }: FetchOptions,
): Promise<E.Either<ServiceError, FileContent>> => {
  const { clock } = platform;
  const context = { endpoint: 'GET url', timeoutMs, redact };
  if (signedFile === undefined) {
    return E.left(downloadFailed(filename, 'its link leads to another server', context));
  }
  const scope = new CallScope({ clock, timeoutMs, signal, closed });
  const file = await signedFile(url, {
    platform,
    clock,
    scope,
    context,
    filename,
    resume,
    silenceMs: timeoutMs,
    home: urls.origin,
    from: urls.api('/'),
  });
  if (E.isRight(file)) return E.right(readableContent(file.right));
  scope.release();
  return file;
};
