import { assetContentEndpoint, assetLinkEndpoint, type SignedUrl } from '../../endpoints/v2/assets.js';
import { call } from '../call.js';
import type { CallOptions } from '../rest-options.js';
import * as E from '../../protocol/either.js';
import type { Handle } from '../attempt.js';
import type { HttpConnection } from '../connection.js';
import { pathBelowBase, resolveLink } from './linked-file.js';
import { readRefusal } from '../refusal.js';
import { request } from '../request.js';
import type { ServiceError } from '../../errors/errors.js';
import { serviceError } from '../../errors/service-error.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/**
 * An address of an asset's bytes that opens without the key: the link of its record where that leads to storage, else where the service
 * redirects to (docs/protocol.md, chapter 12.9). A service without keys has the link of the record alone.
 */
export const assetUrl =
  (connection: HttpConnection, id: string, options: CallOptions = {}): TaskEither<ServiceError, SignedUrl> =>
  async () => {
    const { urls } = connection;
    const record = await request(connection)(assetLinkEndpoint(id), options)();
    if (E.isLeft(record)) return record;
    const link = record.right;
    const url = link && resolveLink(urls, link.url);
    const isOpen =
      url !== undefined && (pathBelowBase(urls, url) === undefined || connection.key() === undefined);
    if (isOpen) return E.right({ ...link, url });
    // One byte is enough where the service sends the file itself.
    const endpoint = assetContentEndpoint(id, { range: 'bytes=0-0' });
    return call(connection, endpoint, options, redirectOf(connection, endpoint))();
  };

const redirectOf =
  (connection: HttpConnection, endpoint: ReturnType<typeof assetContentEndpoint>): Handle<SignedUrl> =>
  async (response, scope, context) => {
    const { status, headers } = response;
    if (status >= 400) return E.left(await readRefusal(connection, endpoint, response, scope, context));
    response.discard();
    scope.release();
    const url = status === 302 ? resolveLink(connection.urls, headers['location'] ?? '') : undefined;
    const expiresAt = url === undefined ? undefined : expiryOf(new URL(url));
    return url === undefined
      ? E.left({ error: servedByItself(), delivery: 'refused' })
      : E.right({ url, ...(expiresAt !== undefined && { expiresAt }) });
  };

const servedByItself = (): ServiceError =>
  serviceError('NotSupported', {
    message: 'The service sends its files itself, and asks for the key there.',
    hint: 'Read the file by rest.view, and serve it yourself. In a page, where no redirect can be seen, ask a server of yours.',
  });

/** What storages write into the addresses that they sign: when, and for how many seconds. */
const expiryOf = ({ searchParams }: URL): number | undefined => {
  for (const name of ['X-Goog', 'X-Amz']) {
    const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u.exec(searchParams.get(`${name}-Date`) ?? '');
    const seconds = Number(searchParams.get(`${name}-Expires`) ?? NaN);
    if (parts === null || !Number.isFinite(seconds)) continue;
    const [, year, month, day, ...time] = parts;
    return Date.parse(`${year}-${month}-${day}T${time.join(':')}Z`) + seconds * 1000;
  }
  return undefined;
};
