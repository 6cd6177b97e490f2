import type { ClientOptions } from './client-options.js';
import { circuitBreaker } from '../core/http/circuit-breaker.js';
import type { ClientStop } from '../core/http/client-stop.js';
import type { Credentials } from './credentials.js';
import { dialectCheck } from './dialects/dialect-check.js';
import type { DialectStrategy } from './dialects/dialect.js';
import * as E from '../core/protocol/either.js';
import type { FileAccess } from '../core/files/file-access.js';
import { type Logger, readLogger } from '../core/log/logger.js';
import type { FrameSource } from '../core/socket/frame-source.js';
import { fromTaskEither } from '../core/interop/from-task-either.js';
import type { HttpConnection } from '../core/http/connection.js';
import type { JobRest } from '../core/http/rest.js';
import { logConnection } from './log-client.js';
import { mergeMap, type Observable } from 'rxjs';
import { onAbort } from '../core/interop/on-abort.js';
import type { Platform } from '../core/platform/platform.js';
import type { RateLimiter } from './jobs/rate-limiter.js';
import { recordedPlatform } from '../core/socket/socket-recorder.js';
import { refusalKind } from '../core/http/retry.js';
import type { ServiceError } from '../core/errors/errors.js';
import type { ServiceUrls } from '../core/http/service-urls.js';

/** A probe of the key does not wait long: the next one follows. */
const probeWithinMs = 10_000;

/** A client's way to its service: calls, frames, and what stops both. */
export interface ServiceConnection {
  readonly connection: HttpConnection;
  readonly rest: JobRest;
  /** The frames of all jobs of the client. */
  readonly source: FrameSource;
  readonly stops: Observable<ClientStop>;
  /** Gets what is logged, redacted; absent if the options have none. */
  readonly logger: Logger | undefined;
  /** Ends every stop and connects at once where the client waits to. */
  readonly resume: () => void;
  readonly close: () => void;
}

/** The options, the platform and the dialect of a client, with what follows from them. */
export interface ConnectOptions {
  readonly options: ClientOptions;
  readonly platform: Platform;
  readonly dialect: DialectStrategy;
  readonly urls: ServiceUrls;
  readonly credentials: Credentials;
  readonly limiter: RateLimiter;
  readonly files: FileAccess | undefined;
  /** Called where a greeting of the socket shows that the server speaks another dialect. */
  readonly onOtherDialect: () => void;
}

/** Wires the calls and the frames of one client. Nothing is sent before a call is run or the frames are subscribed to. */
export const connect = ({
  options,
  platform,
  dialect,
  urls,
  credentials,
  limiter,
  files,
  onOtherDialect,
}: ConnectOptions): ServiceConnection => {
  const { secrets, key, headers } = credentials;
  const { lingerMs = 5_000, keptFrames, partnerKeyField, maxAnswerBytes } = options;
  const { redact, redactValue } = secrets;
  const recorder = options.record?.attach({ clock: platform.clock, redact });
  const logger = readLogger(options.logger, redact);
  const closed = new AbortController();
  // All calls share one listener of a signal, which this entry keeps from one call to the next.
  onAbort(closed.signal, () => undefined);

  const readRecord = (promptId: string) => (signal: AbortSignal) => async () =>
    E.right(await rest.history(promptId, { signal, workflow: false })());
  const source = dialect.events(platform, {
    urls,
    key,
    authHeaders: dialect.http.authHeaders,
    recorded: (heard) => (recorder === undefined ? heard : recordedPlatform(heard, recorder)),
    record: (promptId) =>
      limiter.permitsFor('record').pipe(mergeMap(() => fromTaskEither(readRecord(promptId)))),
    headers,
    lingerMs,
    earlyBytes: keptFrames?.earlyBytes,
    maxMessageBytes: options.maxMessageBytes ?? dialect.limits.maxMessageBytes,
    redact,
    redactValue,
    onHello: () => void detectMismatch().then((other) => other && onOtherDialect()),
    refusal: async () => statusOfRefusal(await dialect.keyCheck(connection)()),
  });
  const unguarded: HttpConnection = {
    platform,
    urls,
    dialect: dialect.http,
    key,
    headers,
    redact,
    redactValue,
    redactPartnerKey: secrets.addPartnerKey,
    partnerKeyField,
    maxAnswerBytes,
    clientId: () => source.clientId,
    closed: closed.signal,
    signedFile: files?.signedFile,
    openFile: files?.openFile,
    logger,
  };
  const breaker = circuitBreaker({
    clock: platform.clock,
    probe: dialect.keyCheck(unguarded, { timeoutMs: probeWithinMs }),
    checkKey: () => dialect.keyCheck(connection)(),
    isKeyAccepted: () => source.openedAt !== Infinity,
    ended: source.resume,
  });
  const connection: HttpConnection = { ...unguarded, breaker };
  const { rest, detectMismatch } = dialectCheck(dialect, connection, dialect.rest(connection));

  if (logger !== undefined) logConnection(logger, source.states, breaker.stops);
  return {
    connection,
    rest,
    logger,
    source,
    stops: breaker.stops,
    resume: () => {
      breaker.reset();
      source.resume();
    },
    close: () => {
      closed.abort();
      breaker.close();
      source.close();
      recorder?.end();
    },
  };
};

/** The status of a refusal that concerns every request of this client. */
const statusOfRefusal = (answer: E.Either<ServiceError, unknown>): number | undefined =>
  E.isLeft(answer) && refusalKind(answer.left) !== undefined ? answer.left.status : undefined;
