import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, FormData } from 'undici';
import type { HostClass } from '../protocol/host-class.js';
import type { FormPart, HttpRequest, HttpResponse, Platform } from '../socket/platform.js';
import { guardedConnector, type MakeConnector } from './guarded-connector.js';
import { transportFailure } from './transport-failure.js';

/** Requests over connections of their own, and the end of those. */
export interface NodeRequests {
  readonly request: Platform['request'];
  readonly close: () => Promise<void>;
}

/** How requests with an `addressClass` reach the world; a test may put itself in between. */
export interface NodeRequestsOptions {
  /** Finds the addresses of a name; default the system's resolver. */
  readonly lookup?: LookupFunction;
  /** Default undici's. */
  readonly connector?: MakeConnector;
}

/**
 * Sends requests by undici's own `request`, which follows no redirect, over agents that nobody else uses.
 *
 * What must not run twice goes over a fresh connection each time: a kept one may be closed by the server at the very
 * moment it is written to, and then nobody knows. A request with an `addressClass` only meets connections whose address
 * was looked at when they were opened. How long an answer may take is the caller's to say, by `signal`. Idle connections
 * don't keep the process alive.
 */
export const nodeRequests = ({
  lookup = systemLookup,
  connector = buildConnector,
}: NodeRequestsOptions = {}): NodeRequests => {
  const options: Agent.Options = {
    connect: { timeout: connectTimeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    connections: 64,
  };
  const kept = new Agent(options);
  const fresh = new Agent({ ...options, pipelining: 0 });
  const guarded = (allowed: HostClass): Agent => {
    const connect = guardedConnector(allowed, { timeout: connectTimeoutMs, lookup, connector });
    return new Agent({ ...options, connect });
  };
  const byClass = {
    public: guarded('public'),
    loopback: guarded('loopback'),
    private: guarded('private'),
  };
  const agentFor = ({ addressClass, method }: HttpRequest): Agent => {
    if (addressClass !== undefined) return byClass[addressClass];
    return method === 'GET' ? kept : fresh;
  };
  return {
    request: (request) => send(agentFor(request), request),
    close: async () => {
      await Promise.all([kept, fresh, ...Object.values(byClass)].map((agent) => agent.destroy()));
    },
  };
};

const connectTimeoutMs = 10_000;

const send = async (agent: Dispatcher, request: HttpRequest): Promise<HttpResponse> => {
  const { method, url, headers, json, form, signal, onSent } = request;
  signal?.throwIfAborted();
  let sent = false;
  const noting = agent.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        ...forward(handler),
        onRequestStart: (controller, context) => {
          sent = true;
          onSent?.();
          handler.onRequestStart?.(controller, context);
        },
      }),
  );
  try {
    const target = new URL(url);
    const body = json ?? (form === undefined ? null : formData(form));
    const answer = await noting.request({
      origin: target.origin,
      path: target.pathname + target.search,
      method,
      headers: { ...headers },
      body,
      ...(signal === undefined ? {} : { signal }),
    });
    return {
      status: answer.statusCode,
      headers: flat(answer.headers),
      body: rejectingPlainly(answer.body),
      discard: () => {
        answer.body.on('error', () => undefined);
        answer.body.destroy();
      },
    };
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason as Error;
    throw transportFailure(cause, sent);
  }
};

/** A handler is a class instance; its methods have to be called on it. */
const forward = (handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler => ({
  onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
  onResponseStart: (...args) => handler.onResponseStart?.(...args),
  onResponseData: (...args) => handler.onResponseData?.(...args),
  onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
  onResponseError: (...args) => handler.onResponseError?.(...args),
});

const formData = (parts: readonly FormPart[]): FormData => {
  const form = new FormData();
  for (const part of parts) {
    if ('value' in part) form.append(part.name, part.value);
    else form.append(part.name, part.content, part.filename);
  }
  return form;
};

const flat = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  );

async function* rejectingPlainly(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } catch (cause) {
    throw transportFailure(cause, true);
  }
}
