import { Agent, type Dispatcher } from 'undici';
import { flatHeaders, type RequestSender } from './request-sender.js';
import { gatheredBody } from './gathered-body.js';
import type { HttpRequest, HttpResponse } from '../platform.js';
import { realClock } from '../clock.js';
import { type RequestBody, requestBody } from './request-body.js';
import { type Delivery, transportFailure } from './transport-failure.js';

/**
 * Sends requests whose answers are read at once and whole, by undici, which follows no redirect.
 *
 * A POST, which must not run twice, goes over a connection that is new or served within the last second, see
 * {@link recentAgent}. A GET shares that connection, or has one that is kept for longer. The caller says by `signal` how long
 * an answer may take. Idle connections don't keep the process alive.
 */
export const nodeCalls = (now = realClock.now): RequestSender => {
  const options: Agent.Options = {
    connect: { timeout: connectTimeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    connections: 64,
  };
  const kept = new Agent(options);
  const recent = recentAgent(options, now);
  return {
    request: (request) =>
      request.method !== 'POST' && !recent.isWarm()
        ? send(kept, request)
        : send(recent.agent(), request, recent.answered),
    close: async () => {
      await Promise.all([kept.destroy(), recent.close()]);
    },
  };
};

const connectTimeoutMs = 10_000;

/**
 * Sends one request and resolves with its answer; `answered` is called when it came whole.
 *
 * The body is never paused, and gathers in memory until it is read: its reader bounds what it takes and discards the rest.
 */
const send = (dispatcher: Dispatcher, request: HttpRequest, answered?: () => void): Promise<HttpResponse> =>
  new Promise((resolve, reject) => {
    const { signal } = request;
    signal?.throwIfAborted();
    const body = gatheredBody();
    let controller: Dispatcher.DispatchController | undefined;
    let delivery: Delivery = 'unsent';
    let isOver = false;
    const onSent = (): void => {
      delivery = 'sent';
      request.onSent?.();
    };
    const { json, form, onProgress } = request;
    const outgoing = requestBody({ json, form, onSent, onProgress });
    const discard = (): void => {
      isOver = true;
      controller?.abort(new Error('the request was given up'));
    };
    const abort = (): void => {
      reject(signal?.reason as Error);
      discard();
    };
    signal?.addEventListener('abort', abort, { once: true });
    const stopListening = (): void => signal?.removeEventListener('abort', abort);
    const fail = (cause: unknown): void => {
      stopListening();
      const failure = transportFailure(cause, delivery);
      reject(failure);
      body.fail(failure);
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started;
        if (isOver) {
          discard();
          return;
        }
        if (typeof outgoing.content !== 'object') onSent();
        else if (delivery === 'unsent') delivery = 'in part';
      },
      onResponseStart: (_, status, headers) => {
        // A status below 200 announces an answer.
        if (status >= 200) resolve({ status, headers: flatHeaders(headers), body, discard });
      },
      onResponseData: (_, piece) => body.push(piece),
      onResponseEnd: () => {
        isOver = true;
        stopListening();
        answered?.();
        body.end();
      },
      onResponseError: (_, cause) => fail(cause),
    };
    try {
      dispatcher.dispatch(optionsOf(request, outgoing), handler);
    } catch (cause) {
      fail(cause);
    }
  });

const optionsOf = ({ method, url, headers }: HttpRequest, body: RequestBody): Dispatcher.DispatchOptions => {
  const path = url.indexOf('/', url.indexOf('//') + 2);
  return {
    origin: path === -1 ? url : url.slice(0, path),
    path: path === -1 ? '/' : url.slice(path),
    method,
    headers: { ...headers, ...body.headers },
    // undici takes an iterable, which its types leave out here.
    body: (body.content as Dispatcher.DispatchOptions['body']) ?? null,
  };
};

/** Connections that are either new or were of use within the last second. */
export interface RecentAgent {
  /** Whether one of its connections may still be open. */
  readonly isWarm: () => boolean;
  /** What to send the next request by. */
  readonly agent: () => Agent;
  /** Notes that an answer came whole. */
  readonly answered: () => void;
  readonly close: () => Promise<void>;
}

/**
 * Keeps connections for requests that must not run twice.
 *
 * A server may close an idle connection at the very moment at which a request is written to it, and then it can't be known
 * whether the request arrived. Servers wait for seconds before they do (5 s with Node.js and uvicorn, 75 s with nginx), so
 * one that served a second ago is as good as a new one. Where nothing was answered for that long, the program may have been
 * too busy to close what was idle, and all begin anew. A `Keep-Alive: timeout=` of the server counts where it is shorter.
 * undici itself never sends a POST again.
 */
const recentAgent = (options: Agent.Options, now: () => number): RecentAgent => {
  const agents = new Set<Agent>();
  const begin = (): Agent => {
    const agent = new Agent({ ...options, keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs });
    agents.add(agent);
    return agent;
  };
  let current = begin();
  let usedAt = now();
  let closed = false;

  const isWarm = (): boolean => now() - usedAt <= idleMs;

  return {
    isWarm,
    agent: () => {
      if (closed || isWarm()) return current;
      const last = current;
      const forget = (): void => void agents.delete(last);
      // What is under way there ends first.
      last.close().then(forget, forget);
      current = begin();
      usedAt = now();
      return current;
    },
    answered: () => {
      usedAt = now();
    },
    close: async () => {
      closed = true;
      await Promise.all([...agents].map((agent) => agent.destroy()));
    },
  };
};

const idleMs = 1000;
