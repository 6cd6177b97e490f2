import { assetContentEndpoint, assetEndpoint, outputUnavailable } from '../../endpoints/v2/assets.js';
import type { AssetRef, FileRef } from '../../protocol/file-ref.js';
import { canResume, partContent, rangeOf } from '../part-content.js';
import * as E from '../../protocol/either.js';
import { fetchFile } from '../view.js';
import type { FileContent, ViewOptions } from '../rest-options.js';
import type { HttpConnection } from '../connection.js';
import { linkedFile } from './linked-file.js';
import { request } from '../request.js';
import type { ServiceError } from '../../errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/**
 * Fetches the bytes of an asset by its id: the service sends them, or redirects to storage, which is asked without the key
 * (docs/protocol.md, chapter 12.9).
 *
 * So no link can be out of date. Where the service does not serve content by the id, the links follow: the one that came with the
 * file, and a fresh one of the asset's record. An output whose bytes are gone is `DownloadFailed` with the `errorType`
 * `output_unavailable`, at once. A part is asked for as with a v1 service, on condition that the file is still the same.
 */
export const assetContent = (
  connection: HttpConnection,
  { filename, asset }: FileRef & { readonly asset: AssetRef },
  options: ViewOptions = {},
): TaskEither<ServiceError, FileContent> => {
  const resume = options.resume !== undefined && canResume(options.resume) ? options.resume : undefined;
  const headers = { 'accept-encoding': 'identity', ...rangeOf(resume) };
  const fetchOptions = {
    timeoutMs: options.timeoutMs,
    signal: options.signal,
    resume,
    direct: true,
    part: partContent,
  };
  return async () => {
    const content = await fetchFile(
      connection,
      assetContentEndpoint(asset.id, headers),
      filename,
      fetchOptions,
    )();
    if (E.isRight(content) || !isMissing(content.left)) return content;

    const byLink = (url: string) => linkedFile(connection, url, filename, fetchOptions)();
    const first = asset.url === undefined ? content : await byLink(asset.url);
    if (E.isRight(first) || isOfTheCaller(first.left)) return first;
    const { timeoutMs, signal } = options;
    const record = await request(connection)(assetEndpoint(asset.id), { timeoutMs, signal })();
    const fresh = E.isRight(record) ? record.right.url : undefined;
    return fresh === undefined || fresh === asset.url ? content : byLink(fresh);
  };
};

/** Whether the service may have the file, although it does not serve it by its id. */
const isMissing = ({ status, errorType }: ServiceError): boolean =>
  (status === 404 || status === 405 || status === 501) && errorType !== outputUnavailable;

const isOfTheCaller = ({ _tag }: ServiceError): boolean => _tag === 'Aborted' || _tag === 'Closed';
