import { answeredId } from '../../core/log/request-id.js';
import { backoff } from '../../core/platform/backoff.js';
import { callError } from '../../core/errors/call-error.js';
import { isServiceError } from '../../core/errors/tagged-error.js';
import { catchError, defer, Observable, switchMap } from 'rxjs';
import { plainWords } from '../../core/errors/seen.js';
import { refusalOf } from './refusal.js';
import { logRequest } from '../../core/http/log-request.js';
import type { Logger } from '../../core/log/logger.js';
import type { PageWorld } from '../../core/platform/page.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { Tokens } from './tokens.js';

/** A request to the gateway. */
export interface RemoteRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined;
  /** Below the address of the gateway. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Blob | undefined;
  /** Default `no-store`. */
  readonly cache?: 'no-cache' | undefined;
  /** Told how many bytes of the body have left. */
  readonly onSent?: ((bytes: number) => void) | undefined;
}

/** Reads a success; its values are those of the request. */
export type ReadAnswer<A> = (response: Response, next: (value: A) => void) => Promise<void>;

/** How a request is tried again. */
export interface RequestOptions {
  /** The delay before another try, or undefined if the error is the answer; default: it always is. */
  readonly retryDelay?: ((error: ServiceError, failures: number) => number | undefined) | undefined;
}

/** Sends requests to the gateway. */
export interface HttpClient {
  /** Sends a request on each subscription, and errors with a `ServiceError`; unsubscribing aborts it. */
  readonly request: <A>(
    request: RemoteRequest | (() => RemoteRequest),
    read: ReadAnswer<A>,
    options?: RequestOptions,
  ) => Observable<A>;
  /** How long to wait after a number of failures: longer each time, and at least as long as the gateway asked for. */
  readonly delayOf: (error: ServiceError, failures: number) => number;
  /** Tries a call again, {@link maxTries} times in all, if that may help. */
  readonly withRetries: RequestOptions;
  /** The address of a path of the gateway. */
  readonly addressOf: (path: string) => string;
}

/** The headers, credentials and logger of every request. */
export interface OwnOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly credentials?: RequestInit['credentials'] | undefined;
  /** Gets an entry for each request. */
  readonly logger?: Logger | undefined;
}

/** How often a call is sent before its error is the answer. */
export const maxTries = 6;

/** Makes the {@link HttpClient} of the gateway at an address, which is asked for with each request. */
export const createHttpClient = (
  world: PageWorld,
  url: () => string,
  { headers: ownHeaders = {}, credentials, logger }: OwnOptions,
  tokens: Tokens,
): HttpClient => {
  const { clock, random, onWake } = world;
  const addressOf = (path: string): string => url().replace(/\/+$/u, '') + path;

  const send = async (request: RemoteRequest, signal: AbortSignal, mayRenew = true): Promise<Response> => {
    const { method = 'GET', path, headers, body = null, cache = 'no-store', onSent } = request;
    const endpoint = endpointOf(request);
    const token = await tokens.get();
    const authorization: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` };
    const init: RequestInit = {
      method,
      headers: { ...ownHeaders, ...authorization, ...headers },
      body,
      signal,
      cache,
      ...(credentials !== undefined && { credentials }),
    };
    const log = logRequest(logger, endpoint, clock);
    const response = await world.send(addressOf(path), init, onSent).catch((cause: unknown) => {
      const failure = networkFailure(endpoint, cause);
      log?.failed(failure.message);
      throw failure;
    });
    log?.answered(
      response.status,
      answeredId((name) => response.headers.get(name)),
    );
    if (response.ok) return response;
    if (response.status === 401 && mayRenew && tokens.drop(token)) {
      await response.body?.cancel();
      return send(request, signal, false);
    }
    throw await refusalOf(response, endpoint, clock.wall());
  };

  const once = <A>(request: RemoteRequest, read: ReadAnswer<A>): Observable<A> =>
    new Observable((subscriber) => {
      const controller = new AbortController();
      send(request, controller.signal)
        .then((response) => read(response, (value) => subscriber.next(value)))
        .then(
          () => subscriber.complete(),
          (thrown: unknown) =>
            subscriber.error(isServiceError(thrown) ? thrown : networkFailure(endpointOf(request), thrown)),
        );
      return () => controller.abort();
    });

  /** The page's return makes another try follow at once, unless the gateway asked for the wait. */
  const wait = (delayMs: number, { retryAfterMs }: ServiceError): Observable<void> =>
    new Observable((subscriber) => {
      const over = (): void => {
        subscriber.next();
        subscriber.complete();
      };
      subscriber.add(clock.after(delayMs, over));
      if (retryAfterMs === undefined) subscriber.add(onWake(over));
    });

  /** As rxjs's `retry({ delay })`, which would load rxjs's timers into every page. */
  const withDelays = <A>(sent: Observable<A>, { retryDelay }: RequestOptions = {}): Observable<A> =>
    defer(() => {
      let failures = 0;
      return sent.pipe(
        catchError((thrown: unknown, again) => {
          const error = thrown as ServiceError;
          const delayMs = retryDelay?.(error, failures);
          if (delayMs === undefined) throw error;
          failures += 1;
          return wait(delayMs, error).pipe(switchMap(() => again));
        }),
      );
    });

  const delayOf: HttpClient['delayOf'] = ({ retryAfterMs = 0 }, failures) =>
    Math.max(retryAfterMs, backoff(failures, random()));
  return {
    request: (request, read, options) =>
      withDelays(
        defer(() => once(typeof request === 'function' ? request() : request, read)),
        options,
      ),
    delayOf,
    withRetries: {
      retryDelay: (error, failures) =>
        mayHelp(error) && failures < maxTries - 1 ? delayOf(error, failures) : undefined,
    },
    addressOf,
  };
};

/** Whether another try may succeed by itself; a full queue has to wait for the end of a job. */
export const mayHelp = (error: ServiceError): boolean =>
  error.retry === 'after' && error._tag !== 'QueueFull';

const endpointOf = ({ method = 'GET', path }: RemoteRequest): string =>
  `${method} ${path.split('?', 1).join('')}`;

const networkFailure = (endpoint: string, cause: unknown): ServiceError =>
  callError('Network', {
    endpoint,
    code: 'FETCH',
    sent: true,
    message: `The request to the gateway failed${saidBy(cause)}.`,
    hint: 'See whether the gateway runs at that address, and whether it lets pages of this origin call (allowOrigins).',
    cause,
  });

/** A browser says no more than that its fetch failed; other programs say why. */
const saidBy = (cause: unknown): string => {
  const words = cause instanceof Error ? plainWords(cause.message.replace(/\.$/u, '')) : undefined;
  return words === undefined ? '' : `: ${words}`;
};

/** The value of a request that has one answer; rejects with `Decode` where the request completes without one. */
export const answerOf = <A>(asked: Observable<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    asked.subscribe({
      next: resolve,
      error: reject,
      complete: () => reject(callError('Decode', { reason: 'no answer of a gateway' })),
    });
  });
