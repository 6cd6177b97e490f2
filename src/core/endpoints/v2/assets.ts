import * as E from '../../protocol/either.js';
import type { Endpoint } from '../endpoint.js';
import { isJsonObject, isTime } from '../../protocol/json/json.js';
import { pathPart } from '../../protocol/path-part.js';

/** What the client reads of an asset's record (docs/protocol.md, chapter 12.8). */
export interface Asset {
  readonly id: string;
  /** Absent while the service has not computed it. */
  readonly hash?: string;
  /** Where the bytes are, for a limited time. */
  readonly url?: string;
  /** The name under which a workflow finds the file, with its folders. */
  readonly filePath?: string;
}

/** An asset that an upload makes: where its bytes are known already, these members alone are sent. */
export interface NewAsset {
  readonly filePath: string;
  /** As `blake3:` and 64 hexadecimal digits; absent if the client could not compute it. */
  readonly hash?: string | undefined;
}

/** `HEAD /api/v2/assets/by-hash/{hash}`: 200 where the service has these bytes. */
export const assetByHashEndpoint = (hash: string): Endpoint<unknown> => ({
  method: 'HEAD',
  path: `/api/v2/assets/by-hash/${pathPart(hash)}`,
  idempotency: 'always',
  read: E.right,
});

/** `POST /api/v2/assets/from-hash`: an asset of bytes that the service has. */
export const assetFromHashEndpoint = ({ filePath, hash }: Required<NewAsset>): Endpoint<Asset> => ({
  method: 'POST',
  path: '/api/v2/assets/from-hash',
  json: JSON.stringify({ hash, file_path: filePath }),
  idempotency: 'always',
  read: readAsset,
});

/** What an upload of bytes sends. */
export interface AssetUpload extends NewAsset {
  readonly content: Blob;
  readonly contentType: string;
  readonly filename: string;
  /** Used once: the service refuses another request with the same key. */
  readonly idempotencyKey: string;
}

/** `POST /api/v2/assets`: a multipart form, whose file comes last (docs/protocol.md, chapter 12.8). */
export const uploadAssetEndpoint = ({
  content,
  contentType,
  filename,
  filePath,
  hash,
  idempotencyKey,
}: AssetUpload): Endpoint<Asset> => ({
  method: 'POST',
  path: '/api/v2/assets',
  headers: { 'idempotency-key': idempotencyKey },
  form: [
    { name: 'content_type', value: contentType },
    { name: 'file_path', value: filePath },
    ...(hash === undefined ? [] : [{ name: 'expected_hash', value: hash }]),
    { name: 'file', filename, content },
  ],
  idempotency: 'caller',
  waitsOutMs,
  read: readAsset,
});

/** `GET /api/v2/assets/{id}`: the record, with a fresh link to the bytes. */
export const assetEndpoint = (id: string): Endpoint<Asset> => ({
  method: 'GET',
  path: `/api/v2/assets/${pathPart(id)}`,
  idempotency: 'always',
  read: readAsset,
});

/**
 * `GET /api/v2/assets/{id}/content`: the bytes, or a redirect to them; `headers` may ask for a part (docs/protocol.md, chapter
 * 12.9).
 */
export const assetContentEndpoint = (
  id: string,
  headers: Readonly<Record<string, string>>,
): Endpoint<unknown> => ({
  method: 'GET',
  path: `/api/v2/assets/${pathPart(id)}/content`,
  headers,
  idempotency: 'always',
  streamed: true,
  mayAppearLate: (errorType) => errorType !== outputUnavailable,
  read: E.right,
});

/** The service's word for an output whose bytes are gone for good. */
export const outputUnavailable = 'output_unavailable';

/** An address that opens a file without the key, for a limited time: every holder of it can read the file. */
export interface SignedUrl {
  /** The address. */
  readonly url: string;
  /** When it ends, in milliseconds since 1970, where the service says so. */
  readonly expiresAt?: number;
}

/** `GET /api/v2/assets/{id}`: its link to the bytes as it stands there, and when that ends; undefined without one. */
export const assetLinkEndpoint = (id: string): Endpoint<SignedUrl | undefined> => ({
  ...assetEndpoint(id),
  read: (json) => {
    const { url, url_expires_at: text } = isJsonObject(json) ? json : {};
    const expiresAt = typeof text === 'string' ? Date.parse(text) : undefined;
    return E.right(isText(url) ? { url, ...(isTime(expiresAt) && { expiresAt }) } : undefined);
  },
});

/** Reads an asset's record: only its id is needed. */
export const readAsset = (json: unknown): E.Either<string, Asset> => {
  const { id, hash, url, file_path: filePath } = isJsonObject(json) ? json : {};
  return typeof id === 'string' && id !== ''
    ? E.right({
        id,
        ...(isText(hash) && { hash }),
        ...(isText(url) && { url }),
        ...(isText(filePath) && { filePath }),
      })
    : E.left('the answer does not name the asset');
};

/** For how long a service that wants fewer requests is asked again: as long as for a submission. */
const waitsOutMs = 60_000;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
