import { backoff } from '../platform/backoff.js';
import { callError } from '../errors/call-error.js';
import { isServiceError } from '../errors/tagged-error.js';
import { Observable } from 'rxjs';
import { refusalOf } from './refusal.js';
import type { PageWorld } from '../platform/page.js';
import type { ServiceError } from 'promptwire';
import type { Tokens } from './tokens.js';

/** A request to the gateway. */
export interface RemoteRequest {
  readonly method?: 'GET' | 'POST' | undefined;
  /** Below the address of the gateway. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Blob | undefined;
  /** Told how many bytes of the body have left. */
  readonly onSent?: ((bytes: number) => void) | undefined;
}

/** Reads a success; its values are those of the request. */
export type ReadAnswer<A> = (response: Response, next: (value: A) => void) => Promise<void>;

/** How a request is tried again. */
export interface AskOptions {
  /** The delay before another try, or undefined where the error is the answer; default: it always is. */
  readonly again?: ((error: ServiceError, failures: number) => number | undefined) | undefined;
}

/** Asks the gateway. */
export interface Asking {
  /** Sends a request on each subscription, and errors with a `ServiceError`; unsubscribing aborts it. */
  readonly ask: <A>(
    request: RemoteRequest | (() => RemoteRequest),
    read: ReadAnswer<A>,
    options?: AskOptions,
  ) => Observable<A>;
  /** How long to wait after so many failures: longer each time, and at least as long as the gateway asked for. */
  readonly delayOf: (error: ServiceError, failures: number) => number;
  /** Tries a call again, some times, where that may help. */
  readonly someTimes: AskOptions;
  readonly addressOf: (path: string) => string;
}

/** How often a call is sent before its error is the answer. */
export const mostTries = 6;

/** Makes {@link Asking} of the address of a gateway. */
export const asking = (
  world: PageWorld,
  url: string,
  ownHeaders: Readonly<Record<string, string>>,
  tokens: Tokens,
): Asking => {
  const { clock, random, onWake } = world;
  const base = url.replace(/\/+$/u, '');
  const addressOf = (path: string): string => base + path;

  const send = async (request: RemoteRequest, signal: AbortSignal, mayRenew = true): Promise<Response> => {
    const { method = 'GET', path, headers, body = null, onSent } = request;
    const endpoint = endpointOf(request);
    const token = await tokens.get();
    const authorization: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` };
    const init: RequestInit = {
      method,
      headers: { ...ownHeaders, ...authorization, ...headers },
      body,
      signal,
      cache: 'no-store',
    };
    const response = await world.send(addressOf(path), init, onSent).catch((cause: unknown) => {
      throw networkFailure(endpoint, cause);
    });
    if (response.ok) return response;
    if (response.status === 401 && mayRenew && tokens.drop(token)) {
      await response.body?.cancel();
      return send(request, signal, false);
    }
    throw await refusalOf(response, endpoint, clock.wall());
  };

  /** Waits for another try, which the page's return makes follow at once, unless the gateway asked for the wait. */
  const wait = (delayMs: number, { retryAfterMs }: ServiceError, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const cancels: (() => void)[] = [];
      const over = (): void => {
        for (const cancel of cancels) cancel();
        resolve();
      };
      cancels.push(clock.after(delayMs, over));
      if (retryAfterMs === undefined) cancels.push(onWake(over));
      signal.addEventListener('abort', over);
    });

  const delayOf: Asking['delayOf'] = ({ retryAfterMs = 0 }, failures) =>
    Math.max(retryAfterMs, backoff(failures, random()));
  return {
    ask: (request, read, { again } = {}) =>
      new Observable((subscriber) => {
        const controller = new AbortController();
        const { signal } = controller;
        const attempt = async (failures: number): Promise<void> => {
          const sent = typeof request === 'function' ? request() : request;
          try {
            const response = await send(sent, signal);
            await read(response, (value) => subscriber.next(value));
            subscriber.complete();
          } catch (thrown) {
            if (signal.aborted) return;
            const error = isServiceError(thrown) ? thrown : networkFailure(endpointOf(sent), thrown);
            const delayMs = again?.(error, failures);
            if (delayMs === undefined) subscriber.error(error);
            else
              void wait(delayMs, error, signal).then(() =>
                signal.aborted ? undefined : attempt(failures + 1),
              );
          }
        };
        void attempt(0);
        return () => controller.abort();
      }),
    delayOf,
    someTimes: {
      again: (error, failures) =>
        mayHelp(error) && failures < mostTries - 1 ? delayOf(error, failures) : undefined,
    },
    addressOf,
  };
};

/** Whether another try may succeed without anyone's doing: a full queue takes a job to end. */
export const mayHelp = (error: ServiceError): boolean =>
  error.retry === 'after' && error._tag !== 'QueueFull';

const endpointOf = ({ method = 'GET', path }: RemoteRequest): string =>
  `${method} ${path.split('?', 1).join('')}`;

const networkFailure = (endpoint: string, cause: unknown): ServiceError =>
  callError('Network', {
    endpoint,
    code: 'FETCH',
    sent: true,
    message: 'The gateway did not answer.',
    cause,
  });

/** Sends a request that has one answer. */
export const answerOf = <A>(asked: Observable<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    asked.subscribe({ next: resolve, error: reject });
  });
