import { dialects } from '../../src/client/dialects/dialects.js';
import * as E from 'fp-ts/lib/Either.js';
import type { HttpConnection } from '../../src/core/http/connection.js';
import { readServiceUrls } from '../../src/core/http/service-urls.js';
import { openFile } from '../../src/core/files/file-access.js';
import { signedFile } from '../../src/core/http/signed-file.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import { redactor } from '../../src/core/redaction/redact.js';
import { valueRedactor } from '../../src/core/redaction/redact-value.js';
import type { Platform } from '../../src/core/platform/platform.js';

/** A key that must not be seen anywhere but in its header. */
export const canary = 'comfyui-canary0123456789abcdef';

/** A connection of the cloud dialect with the canary key. */
export const httpConnection = (
  platform: Platform,
  { baseUrl = 'http://127.0.0.1:9', ...more }: Partial<HttpConnection> & { readonly baseUrl?: string } = {},
): HttpConnection => ({
  platform,
  urls: rightOf(readServiceUrls({ baseUrl })),
  dialect: dialects.cloud.http,
  key: () => canary,
  redact: redactor([canary]),
  redactValue: valueRedactor([canary]),
  signedFile,
  openFile,
  ...more,
});

/** The value of a Right; throws the Left. */
export const rightOf = <A>(either: E.Either<ServiceError, A>): A => {
  if (E.isLeft(either)) throw either.left;
  return either.right;
};

/** The error of a Left; throws on a Right. */
export const leftOf = <A>(either: E.Either<ServiceError, A>): ServiceError => {
  if (E.isRight(either)) throw new Error(`expected a Left, got ${JSON.stringify(either.right)}`);
  return either.left;
};
