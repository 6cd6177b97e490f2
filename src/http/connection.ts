import type { CircuitBreaker } from './circuit-breaker.js';
import type { Dialect } from '../dialects/dialect.js';
import type { RedactValue } from '../redaction/redact-value.js';
import type { Files, Platform } from '../platform/platform.js';
import type { Either } from '../protocol/either.js';
import type { signedFile } from './signed-file.js';
import type { UploadFile } from './rest.js';
import type { ServiceError } from '../errors/errors.js';
import type { ServiceUrls } from './service-urls.js';

/** What every call to one service needs. */
export interface HttpConnection {
  readonly platform: Platform;
  readonly urls: ServiceUrls;
  readonly dialect: Dialect;
  /** The key of the moment; asked for at each attempt, never with the `local` dialect. */
  readonly key: () => string | undefined;
  /** Takes every secret out of text that goes into an error. */
  readonly redact: (text: string) => string;
  /** Takes every secret out of an answer. */
  readonly redactValue: RedactValue;
  /** Told of each partner key before it leaves, as the service may speak of it in whatever it says later. */
  readonly carries?: (key: string) => void;
  /** The member of `extra_data` that takes the partner key; default `api_key_partner_org`. */
  readonly partnerKeyField?: string;
  /** The id of the socket that is open or that comes next, which a local server must be told. */
  readonly clientId?: () => string;
  /** Keeps calls from being sent into a refusal that is known already. */
  readonly breaker?: CircuitBreaker;
  /** Fetches what a view redirects to; absent on a platform that hides where redirects lead. */
  readonly signedFile?: typeof signedFile;
  /** Opens a path for an upload; absent on a platform without a disk. */
  readonly openFile?: OpenFile;
  /** Ends every call with `Closed`. */
  readonly closed?: AbortSignal;
}

/** Opens a path on the platform's disk. Left is `FileSystem` for a path that can't be read. */
export type OpenFile = (files: Files, path: string) => Promise<Either<ServiceError, UploadFile>>;
