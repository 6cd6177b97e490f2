import type { Http2ServerResponse } from 'node:http2';
import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { once } from 'node:events';
import { type ByteSource, sourceOf } from '../streams/pull-body.js';
import { realClock } from '../../../core/platform/clock.js';
import { errorsAt, refuse } from '../http/respond.js';
import { inTurn } from './in-turn.js';
import { type NodeRequest, type NoRequest, requestOf, targetOf } from './node-request.js';
import { notFound } from '../http/refusal.js';
import type { Writable } from 'node:stream';
import { trustedProxies, type TrustedProxies } from './trusted-proxies.js';

/**
 * A handler of `node:http`, `node:http2` and Express. The promise resolves once the answer was sent or its client has left, and never
 * rejects.
 */
export type NodeHandler = (request: NodeRequest, response: NodeResponse) => Promise<void>;

/** An answer of Node.js, over either version of HTTP. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** Options of {@link toNodeHandler}. */
export interface NodeHandlerOptions {
  /**
   * Addresses and networks (`10.0.0.0/8`) of proxies whose `Forwarded`, `X-Forwarded-Proto` and `X-Forwarded-Host` say where callers reach
   * the gateway; links are made of that. Default none: anyone can send these headers.
   */
  readonly trustProxies?: readonly string[] | undefined;
}

/**
 * Makes a handler of `node:http`, `node:http2` and Express from a gateway.
 *
 * The handler's promise resolves with the end of the answer, for hosts that stop a function when it returns.
 *
 * An answer is read as fast as its socket takes it and nothing is compressed; a client that leaves cancels the answer and aborts the
 * request's signal. Where an answer comes before the whole request, the rest is read for two seconds, so that the client gets the
 * answer, and then the connection ends. A body of which nothing comes for 30 s is cut; one that moves may take any time, where the
 * server allows it: `requestTimeout` of `node:http` cuts each request after 5 minutes, unless it is 0. Requests that are pipelined on one
 * connection are answered one after the other, and a connection with more than 64 that wait is cut. In
 * Express it comes before every parser of bodies: of one that was read it takes the bytes where the parser has kept them (`rawBody`,
 * `express.raw`), and answers 500 otherwise. Below a path (`app.use('/comfy', …)`), set the option `mount` of `createGateway`. Throws
 * `InvalidConfig` for a proxy that is no address.
 *
 * @example
 * ```ts
 * import { bearerTokens, createGateway } from 'promptwire/gateway';
 * import { createClient } from 'promptwire';
 * import { createServer } from 'node:http';
 * import { toNodeHandler } from 'promptwire/gateway/node';
 *
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local' });
 * const gateway = createGateway({ client, authorize: bearerTokens({ web: 'a-long-random-token' }) });
 * createServer({ requestTimeout: 0 }, toNodeHandler(gateway)).listen(8080);
 * ```
 */
export const toNodeHandler = (
  gateway: { readonly fetch: (request: Request) => Promise<Response> },
  { trustProxies = [] }: NodeHandlerOptions = {},
): NodeHandler => {
  const proxies = trustedProxies(trustProxies);
  const inOrder = inTurn();
  return (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    const ended = finished(outgoing).catch(() => undefined);
    inOrder(incoming, ended, () => {
      answer(gateway, proxies, { incoming, outgoing, gone: gone.signal }).catch(() => {
        // The head may be sent already: a cut is all that tells the client.
        outgoing.destroy();
      });
    });
    return ended;
  };
};

/** A request and its answer, under way. */
interface Exchange {
  readonly incoming: NodeRequest;
  readonly outgoing: NodeResponse;
  /** Fires when the client has left. */
  readonly gone: AbortSignal;
}

const answer = async (
  { fetch }: Parameters<typeof toNodeHandler>[0],
  proxies: TrustedProxies,
  { incoming, outgoing, gone }: Exchange,
): Promise<void> => {
  const request = requestOf(incoming, gone, proxies);
  const response = typeof request === 'string' ? refused(request, incoming) : await fetch(request);
  outgoing.statusCode = response.status;
  writeHead(response.headers, outgoing, incoming.httpVersionMajor);
  if (response.body === null) outgoing.end();
  else {
    // The head of a stream of events is sent before its first event.
    if ('flushHeaders' in outgoing) outgoing.flushHeaders();
    await write(response.body, outgoing, gone);
  }
  if (!incoming.complete) discardRest(incoming);
};

/** HTTP/2 knows no header of a connection. */
const writeHead = (headers: Headers, outgoing: NodeResponse, httpVersion: number): void => {
  for (const [name, value] of headers) {
    if (name === 'set-cookie' || (name === 'connection' && httpVersion > 1)) continue;
    outgoing.setHeader(name, value);
  }
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies);
};

const refused = (reason: NoRequest, incoming: NodeRequest): Response => {
  switch (reason) {
    case 'address':
      return new Response(null, { status: 400 });
    case 'dots':
      return refuse(notFound, errorsAt(targetOf(incoming)));
    case 'parsed':
      return Response.json(parsedBody, {
        status: 500,
        headers: { 'content-type': 'application/problem+json' },
      });
  }
};

const parsedBody = {
  type: 'about:blank',
  title: 'Body already read',
  status: 500,
  detail:
    'Something before the gateway has read the body: mount it before parsers of bodies, such as express.json().',
  code: 'body_already_read',
};

/** Takes the next piece only when the socket has taken the last one. */
const write = async (
  body: ReadableStream<Uint8Array>,
  outgoing: Writable,
  gone: AbortSignal,
): Promise<void> => {
  const source = sourceOf(body);
  if (source === undefined) await writeStream(body, outgoing, gone);
  else await writeSource(source, outgoing, gone);
};

const writeStream = async (
  body: ReadableStream<Uint8Array>,
  outgoing: Writable,
  gone: AbortSignal,
): Promise<void> => {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel(gone.reason).catch(() => undefined);
  if (gone.aborted) cancel();
  gone.addEventListener('abort', cancel, { once: true });
  for (;;) {
    const { done, value } = await reader.read();
    if (done || gone.aborted) break;
    if (!outgoing.write(value)) await once(outgoing, 'drain', { signal: gone }).catch(() => undefined);
  }
  if (!gone.aborted) outgoing.end();
};

const writeSource = async (source: ByteSource, outgoing: Writable, gone: AbortSignal): Promise<void> => {
  if (gone.aborted) {
    source.cancel();
    return;
  }
  gone.addEventListener('abort', source.cancel, { once: true });
  outgoing.on('drain', source.pull);
  source.to({
    write: (chunks) => {
      let hasRoom = true;
      for (const chunk of chunks) hasRoom = outgoing.write(chunk);
      if (hasRoom) source.pull();
    },
    close: () => outgoing.end(),
    error: () => outgoing.destroy(),
  });
  source.pull();
  await once(outgoing, 'close');
};

const longestDiscardMs = 2_000;

/** Reads on for a moment after an early answer: closing a socket with unread bytes resets it, and the client may lose the answer. */
const discardRest = (incoming: NodeRequest): void => {
  const cancel = realClock.after(longestDiscardMs, () => incoming.destroy(), { background: true });
  incoming.once('close', cancel);
  incoming.on('error', () => undefined);
  incoming.resume();
};
