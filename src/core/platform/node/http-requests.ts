import { checkLiteral, type NodeAgents, nodeAgents, type NodeAgentsOptions } from './agents.js';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { type HttpRequest, type HttpResponse, TransportError } from '../platform.js';
import { flatHeaders, type RequestSender } from './request-sender.js';
import { type RequestBody, requestBody } from './request-body.js';
import { request as httpsRequest } from 'node:https';
import { once } from 'node:events';
import { proxyRefusal, TunnelAgent } from './tunnel.js';
import { type Delivery, transportFailure } from './transport-failure.js';

/**
 * Sends requests by Node's own HTTP client, which follows no redirect and sends nothing twice. The body of an answer waits
 * for its reader, however slow.
 *
 * The caller says how long an answer may take, by `signal`; a connection has to open within 10 s. Idle
 * connections don't keep the process alive.
 */
export const httpRequests = (options: NodeAgentsOptions = {}): RequestSender => {
  const agents = nodeAgents(options);
  const open = new Set<ClientRequest>();
  let closed = false;
  return {
    request: (request) => (closed ? Promise.reject(clientClosed(false)) : send(agents, open, request)),
    close: () => {
      closed = true;
      for (const outgoing of open) outgoing.destroy(clientClosed(true));
      return agents.destroy();
    },
  };
};

const send = (agents: NodeAgents, open: Set<ClientRequest>, request: HttpRequest): Promise<HttpResponse> =>
  new Promise((resolve, reject) => {
    const { signal } = request;
    signal?.throwIfAborted();
    let delivery: Delivery = 'unsent';
    const onSent = (): void => {
      delivery = 'sent';
      request.onSent?.();
    };
    const fail = (cause: unknown): void => {
      reject(signal?.aborted === true ? (signal.reason as Error) : transportFailure(cause, delivery));
    };
    try {
      const body = requestBody({ ...request, onSent });
      const outgoing = prepare(agents, request, body);
      open.add(outgoing);
      const abort = (): void => void outgoing.destroy();
      signal?.addEventListener('abort', abort, { once: true });
      const { content } = body;
      const isWhole = typeof content !== 'object';
      onceConnected(outgoing, () => {
        if (isWhole) onSent();
        else if (delivery === 'unsent') delivery = 'in part';
      });
      outgoing.on('response', (incoming) => {
        if (incoming.statusCode === 407 && isForwarded(outgoing)) {
          fail(proxyRefusal(407));
          outgoing.destroy();
          return;
        }
        resolve(answerOf(incoming));
        // Node takes a body without a length for whole, however its connection ended.
        outgoing.on('error', (cause) => {
          if (!incoming.complete) incoming.destroy(cause);
        });
      });
      outgoing.on('error', fail);
      outgoing.on('close', () => {
        open.delete(outgoing);
        signal?.removeEventListener('abort', abort);
        fail(undefined);
      });
      if (isWhole) outgoing.end(content);
      else void write(outgoing, content);
    } catch (cause) {
      fail(cause);
    }
  });

const prepare = (agents: NodeAgents, request: HttpRequest, body: RequestBody): ClientRequest => {
  const { method, addressClass } = request;
  const headers = { ...request.headers, ...body.headers };
  const url = new URL(request.url);
  if (addressClass !== undefined) checkLiteral(url, addressClass);
  const route = agents.routeFor(request, url);
  if (url.protocol === 'https:') return httpsRequest(url, { method, headers, ...route });
  if (!(route.agent instanceof TunnelAgent)) return httpRequest(url, { method, headers, ...route });
  const forward = route.agent.forward(url);
  const begin = forward.protocol === 'https:' ? httpsRequest : httpRequest;
  return begin({ ...forward, method, headers: { ...headers, ...forward.headers } });
};

/** Whether a proxy was asked for a whole address, so that it answers for itself. */
const isForwarded = ({ path }: ClientRequest): boolean => path.startsWith('http:');

const write = async (outgoing: ClientRequest, body: AsyncIterable<Uint8Array>): Promise<void> => {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  try {
    for await (const piece of body) {
      if (!outgoing.write(piece)) await once(outgoing, 'drain', { signal: gone.signal });
    }
    outgoing.end();
  } catch (cause) {
    outgoing.destroy(cause as Error);
  }
};

/** Before a new connection is open, with its encryption, nothing can have left. */
const onceConnected = (outgoing: ClientRequest, work: () => void): void => {
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) {
      work();
      return;
    }
    const timer = setTimeout(() => {
      outgoing.destroy(new TransportError('ETIMEDOUT', 'no connection could be made', false));
    }, connectTimeoutMs);
    outgoing.once('close', () => clearTimeout(timer));
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      work();
    });
  });
};

const connectTimeoutMs = 10_000;

const answerOf = (incoming: IncomingMessage): HttpResponse => {
  const headers = flatHeaders(incoming.headers);
  // The reader of the body learns what goes wrong; without a reader it does not matter.
  incoming.on('error', () => undefined);
  return {
    status: incoming.statusCode ?? 0,
    headers,
    body: piecesOf(incoming),
    discard: () => {
      // Without a body the connection can serve again.
      if (headers['content-length'] === '0') incoming.resume();
      else incoming.destroy();
    },
  };
};

async function* piecesOf(incoming: IncomingMessage): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* incoming as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw transportFailure(cause, 'sent');
  }
}

const clientClosed = (sent: boolean): TransportError =>
  new TransportError('ECLOSED', 'the client is closed', sent);
