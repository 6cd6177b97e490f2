import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { type ByteSource, sourceOf } from '../streams/pull-body.js';
import { realClock } from '../../../core/platform/clock.js';
import type { TLSSocket } from 'node:tls';

/** A handler of `node:http` and of Express. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Makes a handler of `node:http` and of Express from a gateway.
 *
 * An answer is read as fast as its socket takes it and nothing is compressed; a client that leaves cancels the answer and aborts the
 * request's signal. Where an answer comes before the whole request, the rest is read for two seconds, so that the client gets the
 * answer, and then the connection ends. A body of which nothing comes for 30 s is cut; one that moves may take any time, where the
 * server allows it: `requestTimeout` of `node:http` cuts each request after 5 minutes, unless it is 0. In Express it comes before every parser of bodies; below a path (`app.use('/comfy', …)`), set the option `mount`
 * of `createGateway`.
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
export const toNodeHandler =
  (gateway: { readonly fetch: (request: Request) => Promise<Response> }): NodeHandler =>
  (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    answer(gateway, incoming, outgoing, gone.signal).catch(() => {
      // The head may be sent already: a cut is all that tells the client.
      outgoing.destroy();
    });
  };

const answer = async (
  { fetch }: Parameters<typeof toNodeHandler>[0],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  gone: AbortSignal,
): Promise<void> => {
  const request = requestOf(incoming, gone);
  const response = request === undefined ? new Response(null, { status: 400 }) : await fetch(request);
  outgoing.statusCode = response.status;
  outgoing.setHeaders(response.headers);
  if (response.body === null) outgoing.end();
  else await write(response.body, outgoing, gone);
  if (!incoming.complete) discardRest(incoming);
};

/** Undefined where the request has an address or a host that is none. */
const requestOf = (incoming: IncomingMessage, signal: AbortSignal): Request | undefined => {
  const { method = 'GET', headers, socket } = incoming;
  const scheme = (socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http';
  // Express takes the path away that it mounts a handler below.
  const { originalUrl = incoming.url ?? '/' } = incoming as { readonly originalUrl?: string };
  const hasBody =
    method !== 'GET' &&
    method !== 'HEAD' &&
    (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);
  try {
    const url = new URL(`${scheme}://${headers.host ?? 'localhost'}`);
    return new Request(`${url.origin}${originalUrl.startsWith('/') ? '' : '/'}${originalUrl}`, {
      method,
      headers: Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      ),
      signal,
      ...(hasBody ? { body: bodyOf(incoming), duplex: 'half' } : {}),
    });
  } catch {
    return undefined;
  }
};

/** Reads as it is read; leaving it keeps the connection, which `Readable.toWeb` would destroy before the answer. */
const bodyOf = (incoming: IncomingMessage): ReadableStream<Uint8Array> => {
  const chunks = incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array, undefined>;
  return new ReadableStream(
    {
      pull: async (controller) => {
        const stopWaiting = realClock.after(longestSilenceMs, () => incoming.destroy(), { background: true });
        const { done, value } = await chunks.next().finally(stopWaiting);
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
};

/** Takes the next piece only when the socket has taken the last one. */
const write = async (
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  gone: AbortSignal,
): Promise<void> => {
  // The head of a stream of events is sent before its first event.
  outgoing.flushHeaders();
  const source = sourceOf(body);
  if (source === undefined) await writeStream(body, outgoing, gone);
  else await writeSource(source, outgoing, gone);
};

const writeStream = async (
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
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

const writeSource = async (
  source: ByteSource,
  outgoing: ServerResponse,
  gone: AbortSignal,
): Promise<void> => {
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

/** So long may nothing of a body come. */
const longestSilenceMs = 30_000;

const longestDiscardMs = 2_000;

/** Reads on for a moment after an early answer: closing a socket with unread bytes resets it, and the client may lose the answer. */
const discardRest = (incoming: IncomingMessage): void => {
  const cancel = realClock.after(longestDiscardMs, () => incoming.destroy(), { background: true });
  incoming.once('close', cancel);
  incoming.on('error', () => undefined);
  incoming.resume();
};
