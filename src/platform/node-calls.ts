import { Agent, type Dispatcher, FormData } from 'undici';
import type { FormPart, HttpRequest, HttpResponse } from '../socket/platform.js';
import { flatHeaders } from './flat-headers.js';
import type { RequestSender } from './request-sender.js';
import { rejectingPlainly } from './rejecting-plainly.js';
import { transportFailure } from './transport-failure.js';

/**
 * Sends requests whose answers are read at once and whole, by undici's own `request`, which follows no redirect.
 *
 * What must not run twice goes over a fresh connection each time: a kept one may be closed by the server at the very
 * moment it is written to, and then nobody knows. How long an answer may take is the caller's to say, by `signal`. Idle
 * connections don't keep the process alive.
 */
export const nodeCalls = (): RequestSender => {
  const options: Agent.Options = {
    connect: { timeout: connectTimeoutMs },
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

const connectTimeoutMs = 10_000;
/** Above every answer that is read. undici must not pause: a body that ends while it does ends the process. */
const highWaterMark = 256 * 1024 * 1024;

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
    const answer = await noting.request({
      origin: target.origin,
      path: target.pathname + target.search,
      method,
      headers: { ...headers },
      body: json ?? (form === undefined ? null : formData(form)),
      highWaterMark,
      ...(signal === undefined ? {} : { signal }),
    });
    return {
      status: answer.statusCode,
      headers: flatHeaders(answer.headers),
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
