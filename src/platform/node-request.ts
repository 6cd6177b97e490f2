import { Agent, type Dispatcher, FormData } from 'undici';
import type { FormPart, HttpRequest, HttpResponse, Platform } from '../socket/platform.js';
import { TransportError } from './transport-error.js';

/** Requests over connections of their own, and the end of those. */
export interface NodeRequests {
  readonly request: Platform['request'];
  readonly close: () => Promise<void>;
}

/**
 * Sends requests by undici's own `request`, which follows no redirect, over agents that nobody else uses.
 *
 * What must not run twice goes over a fresh connection each time: a kept one may be closed by the server at the very
 * moment it is written to, and then nobody knows. How long an answer may take is the caller's to say, by `signal`. Idle
 * connections don't keep the process alive.
 */
export const nodeRequests = (): NodeRequests => {
  const options: Agent.Options = {
    connect: { timeout: 10_000 },
    headersTimeout: 0,
    bodyTimeout: 0,
    connections: 64,
  };
  const kept = new Agent(options);
  const fresh = new Agent({ ...options, pipelining: 0 });
  return {
    request: (request) => send(request.method === 'GET' ? kept : fresh, request),
    close: async () => {
      await Promise.all([kept.destroy(), fresh.destroy()]);
    },
  };
};

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
    throw failureOf(cause, sent);
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
    throw failureOf(cause, true);
  }
}

/** Only the code and one of our own sentences: messages of the runtime can quote headers and addresses. */
const failureOf = (cause: unknown, sent: boolean): TransportError => {
  const code = codeOf(cause);
  const left = sent && !neverLeft.has(code);
  return new TransportError(code, left ? 'the connection failed' : 'no connection could be made', left);
};

const neverLeft: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
  'ERR_INVALID_URL',
]);

/** Where several addresses were tried, the first one's failure stands for all. */
const codeOf = (cause: unknown): string => {
  if (typeof cause !== 'object' || cause === null) return 'EUNKNOWN';
  if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return 'errors' in cause && Array.isArray(cause.errors) ? codeOf(cause.errors[0]) : 'EUNKNOWN';
};
