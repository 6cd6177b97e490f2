import { Observable } from 'rxjs';
import type { Client } from '../../src/client/client-types.js';
import type {
  HttpRequest,
  HttpResponse,
  Platform,
  SocketListener,
  TransportFailure,
} from '../../src/core/platform/platform.js';
import { clientWith } from '../helpers/client-with.js';
import { type MakeClient, realClient } from './play.js';

/** Clients with one bug each, planted at the seam or around the surface: a check that lets one pass checks nothing. */
export const brokenClients = {
  'submits again after a lost answer': onPlatform((platform) => ({
    ...platform,
    request: async (request) => {
      try {
        return await platform.request(withoutSent(request));
      } catch (cause) {
        // What was sent is called unsent, so it is sent once more.
        throw isSubmission(request) && isTransport(cause)
          ? { code: cause.code, message: cause.message, sent: false }
          : cause;
      }
    },
  })),
  'submits again under another key': onPlatform((platform) => ({
    ...platform,
    request: async (request) => {
      const { headers } = request;
      const anew = { ...headers, 'idempotency-key': platform.uuid() };
      try {
        return await platform.request(
          isSubmission(request) ? { ...withoutSent(request), headers: anew } : request,
        );
      } catch (cause) {
        throw isSubmission(request) && isTransport(cause)
          ? { code: cause.code, message: cause.message, sent: false }
          : cause;
      }
    },
  })),
  'never learns by asking': onPlatform((platform) => ({
    ...platform,
    request: (request) =>
      /\/(?:status|(?:history_v2|jobs)\/[^/]*)$/u.test(request.url)
        ? Promise.reject(new Error('nobody asks'))
        : platform.request(request),
  })),
  'believes the socket against the record': onPlatform((platform) => ({
    ...platform,
    request: (request) =>
      request.url.includes('/history_v2/') ? Promise.resolve(notFound) : platform.request(request),
  })),
  'hears nothing before the answer': onPlatform((platform) => {
    let underWay = 0;
    return {
      ...platform,
      request: async (request) => {
        underWay += isSubmission(request) ? 1 : 0;
        try {
          return await platform.request(request);
        } finally {
          underWay -= isSubmission(request) ? 1 : 0;
        }
      },
      openSocket: (url, listener) =>
        platform.openSocket(
          url,
          listening(listener, (message) => {
            if (underWay === 0) listener.message(message);
          }),
        ),
    };
  }),
  'leaves its sockets open': onPlatform((platform) => ({
    ...platform,
    openSocket: (url, listener) => ({ ...platform.openSocket(url, listener), close: () => undefined }),
  })),
  'takes no refusal of a handshake for final': onPlatform((platform) => ({
    ...platform,
    openSocket: (url, listener) =>
      platform.openSocket(url, {
        ...listening(listener, (message) => listener.message(message)),
        closed: ({ code, reason }) => listener.closed({ code, reason, errorCode: 'ECONNRESET' }),
      }),
  })),
  'takes one 429 page for an inactive plan': onPlatform((platform) => ({
    ...platform,
    request: async (request) => {
      const response = await platform.request(request);
      if (!isSubmission(request) || response.status !== 429) return response;
      response.discard();
      return inactivePlan;
    },
  })),
  'keeps one client id for all its sockets': onPlatform((platform) => ({
    ...platform,
    openSocket: (url, listener) => {
      const own = new URL(url);
      own.searchParams.set('clientId', 'the-only-one');
      return platform.openSocket(own.href, listener);
    },
  })),
  'forgets at its close what was under way': (platform, options) =>
    Object.create(realClient(platform, options), { recent: { value: [] } }) as Client,
  'drains without waiting': around((client) => ({
    drain: () => {
      void client.drain();
      return Promise.resolve();
    },
  })),
  'submits while it is drained': around(() => ({ drain: () => Promise.resolve() })),
  'reports each end twice': around((client) => ({
    run: (...args) => twice(client.run(...args)),
    follow: (...args) => twice(client.follow(...args)),
  })),
  'never reports an end': around((client) => ({
    run: (...args) => endless(client.run(...args)),
  })),
  'cancels what is only left': around((client) => ({
    run: (workflow, options) => client.run(workflow, { ...options, onUnsubscribe: 'cancel' }),
  })),
  'throws what is not its own': around((client) => ({
    run: (...args) =>
      new Observable((subscriber) =>
        client.run(...args).subscribe({
          next: (state) => subscriber.next(state),
          error: (error: unknown) => subscriber.error(new Error(String(error))),
          complete: () => subscriber.complete(),
        }),
      ),
  })),
} satisfies Record<string, MakeClient>;

function onPlatform(change: (platform: Platform) => Platform): MakeClient {
  return (platform, options) => realClient(change(platform), options);
}

function around(change: (client: Client) => Partial<Client>): MakeClient {
  return (platform, options) => {
    const client = realClient(platform, options);
    return clientWith(client, change(client));
  };
}

const isSubmission = ({ url }: HttpRequest): boolean =>
  url.endsWith('/api/prompt') || url.endsWith('/api/v2/jobs');

const withoutSent = (request: HttpRequest): HttpRequest =>
  isSubmission(request) ? { ...request, onSent: () => undefined } : request;

const isTransport = (cause: unknown): cause is TransportFailure =>
  typeof cause === 'object' && cause !== null && 'sent' in cause;

const listening = (listener: SocketListener, message: SocketListener['message']): SocketListener => ({
  opened: () => listener.opened(),
  alive: () => listener.alive(),
  closed: (end) => listener.closed(end),
  message,
});

const answerOf = (status: number, body = ''): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: {
    // eslint-disable-next-line @typescript-eslint/require-await -- a body is an async iterable
    async *[Symbol.asyncIterator]() {
      if (body !== '') yield new TextEncoder().encode(body);
    },
  },
  discard: () => undefined,
});

const notFound = answerOf(404);
const inactivePlan = answerOf(429, '{"error":{"type":"CLOUD_SUBSCRIPTION_REQUIRED","message":"no"}}');

const twice = <A>(source: Observable<A>): Observable<A> =>
  new Observable((subscriber) => {
    let last: A | undefined;
    return source.subscribe({
      next: (value) => subscriber.next((last = value)),
      error: (error: unknown) => subscriber.error(error),
      complete: () => {
        if (last !== undefined) subscriber.next(last);
        subscriber.complete();
      },
    });
  });

const endless = <A>(source: Observable<A>): Observable<A> =>
  new Observable((subscriber) =>
    source.subscribe({ next: (value) => subscriber.next(value), error: () => undefined }),
  );
