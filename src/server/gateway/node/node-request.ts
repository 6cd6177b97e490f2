import type { Http2ServerRequest } from 'node:http2';
import type { IncomingMessage } from 'node:http';
import { realClock } from '../../../core/platform/clock.js';
import type { TLSSocket } from 'node:tls';
import type { TrustedProxies } from './trusted-proxies.js';

/** A request as Node.js gives it, over either version of HTTP. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** Why a request can't be passed on to the gateway. */
export type NoRequest =
  /** Its address or its host can’t be read. */
  | 'address'
  /** A part of its path is `.` or `..`, so that it would be the address of something else. */
  | 'dots'
  /** Something has read its body, and kept another form of it. */
  | 'parsed';

/** Makes a web request of one of Node.js; `signal` fires when its client leaves. */
export const requestOf = (
  incoming: NodeRequest,
  signal: AbortSignal,
  proxies: TrustedProxies,
): Request | NoRequest => {
  const originalUrl = targetOf(incoming);
  if (dots.test(originalUrl)) return 'dots';
  const isWithBody = hasBody(incoming);
  const body = isWithBody ? bodyOf(incoming) : undefined;
  if (isWithBody && body === undefined) return 'parsed';
  try {
    const url = new URL(originOf(incoming, proxies));
    return new Request(`${url.origin}${originalUrl.startsWith('/') ? '' : '/'}${originalUrl}`, {
      method: incoming.method ?? 'GET',
      headers: headersOf(incoming),
      signal,
      ...(body !== undefined && { body, duplex: 'half' }),
    });
  } catch {
    return 'address';
  }
};

/** What the request asks for; Express takes the path away that it mounts a handler below. */
export const targetOf = (incoming: NodeRequest): string =>
  (incoming as { readonly originalUrl?: string }).originalUrl ?? incoming.url ?? '/';

/** A part of a path that leads to its folder or the one above, before the query; parsers of addresses read it encoded as well. */
const dots = /^[^?#]*[/\\](?:\.|%2e){1,2}(?:[/\\?#]|$)/iu;

/** Where the caller sent the request, as far as it or a proxy that is trusted says. */
const originOf = (incoming: NodeRequest, proxies: TrustedProxies): string => {
  const { headers, socket } = incoming;
  const isEncrypted = (socket as Partial<TLSSocket>).encrypted === true;
  const forwarded = proxies(socket.remoteAddress, headers);
  const scheme = forwarded.proto ?? (isEncrypted ? 'https' : 'http');
  return `${scheme}://${forwarded.host ?? headers.host ?? headers[':authority']?.toString() ?? 'localhost'}`;
};

/** Each value of each header; those with a colon are HTTP/2's own. */
const headersOf = ({ headers, ...incoming }: NodeRequest): [string, string][] => {
  const all = (incoming as Partial<IncomingMessage>).headersDistinct ?? headers;
  return Object.entries(all).flatMap(([name, values = []]) =>
    name.startsWith(':') ? [] : [values].flat().map((value): [string, string] => [name, value]),
  );
};

const hasBody = ({ method = 'GET', headers, httpVersionMajor }: NodeRequest): boolean => {
  if (method === 'GET' || method === 'HEAD') return false;
  const length = headers['content-length'];
  // HTTP/2 has no chunks of its own: a body may come without a length.
  const isChunked = headers['transfer-encoding'] !== undefined || httpVersionMajor > 1;
  return length === undefined ? isChunked : Number(length) > 0;
};

/** The body, also where something has read it already and kept its bytes; undefined if it has kept something else. */
const bodyOf = (incoming: NodeRequest): NonNullable<RequestInit['body']> | undefined => {
  if (!incoming.readableDidRead) return unreadBody(incoming);
  const { rawBody, body } = incoming as { readonly rawBody?: unknown; readonly body?: unknown };
  // `rawBody` of hosted functions, `body` of `express.raw` and `express.text`.
  return [rawBody, body].find((one) => typeof one === 'string' || one instanceof Uint8Array) as
    string | Uint8Array<ArrayBuffer> | undefined;
};

/** The body, read as it is pulled; cancelling it keeps the connection, which `Readable.toWeb` would destroy before the answer. */
const unreadBody = (incoming: NodeRequest): ReadableStream<Uint8Array> => {
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

/** The longest silence while a body arrives, in milliseconds. */
const longestSilenceMs = 30_000;
