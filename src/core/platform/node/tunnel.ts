import {
  type ClientRequestArgs,
  Agent as HttpAgent,
  request as httpRequest,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import type { Duplex } from 'node:stream';
import { TransportError } from '../platform.js';

/** Where a proxy is, and the headers that it wants. */
export interface Proxy {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** How a request is addressed to a proxy. */
type Forward = Omit<RequestOptions, 'headers'> & { readonly headers: Readonly<Record<string, string>> };

/** Connections without encryption: sockets by a tunnel, and requests for whole addresses by {@link TunnelAgent.forward}. */
export class TunnelAgent extends HttpAgent {
  readonly #proxy: Proxy;
  readonly #toProxy: HttpAgent;

  constructor(proxy: Proxy) {
    super(keptShortly);
    this.#proxy = proxy;
    this.#toProxy = proxy.secure ? new HttpsAgent(keptShortly) : new HttpAgent(keptShortly);
  }

  override createConnection(options: ClientRequestArgs, created?: Created): undefined {
    openTunnel(this.#proxy, options, created);
  }

  /** What a request for this `http:` URL has to say to the proxy. */
  forward({ href, host }: URL): Forward {
    const { secure, headers, ...proxy } = this.#proxy;
    return {
      ...proxy,
      protocol: secure ? 'https:' : 'http:',
      path: href,
      headers: { ...headers, host },
      agent: this.#toProxy,
    };
  }
}

/** Connections with encryption, which begins behind the proxy. */
export class SecureTunnelAgent extends HttpsAgent {
  readonly #proxy: Proxy;

  constructor(proxy: Proxy) {
    super(keptShortly);
    this.#proxy = proxy;
  }

  override createConnection(options: ClientRequestArgs, created?: Created): undefined {
    openTunnel(this.#proxy, options, created, (tunnel) =>
      connectTls({ ...(options as ConnectionOptions), path: undefined, socket: tunnel }),
    );
  }
}

/** A server may close an idle connection while a submission is on its way to it; after one second it surely does not yet. */
const keptShortly = { keepAlive: true, timeout: 1000, maxSockets: 64 };

type Created = (error: Error | null, socket: Duplex) => void;

/** Asks the proxy for a connection, adds `encrypt`, and calls `created` once, with the open connection or an error. */
const openTunnel = (
  { secure, host, port, headers }: Proxy,
  target: ClientRequestArgs,
  created: Created = () => undefined,
  encrypt?: (tunnel: Duplex) => Duplex,
): void => {
  const destination = destinationOf(target);
  const request = (secure ? httpsRequest : httpRequest)({
    ...{ host, port, method: 'CONNECT', path: destination, agent: false },
    headers: { ...headers, host: destination, connection: 'keep-alive' },
  });
  let isOver = false;
  let encrypted: Duplex | undefined;
  const end = (error: Error | null, socket?: Duplex): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    created(error, socket as Duplex);
  };
  const abandon = (error: TransportError): void => {
    end(error);
    request.destroy();
    // A tunnel that is open already belongs to the request no more.
    encrypted?.destroy();
  };
  const timer = setTimeout(
    () => abandon(proxyError('ETIMEDOUT', 'the proxy opened no connection')),
    openWithinMs,
  );

  request.on('error', (cause: NodeJS.ErrnoException) =>
    end(proxyError(cause.code ?? 'EPROXY', 'the proxy could not be reached')),
  );
  request.on('connect', ({ statusCode = 0 }, tunnel, head) => {
    if (statusCode < 200 || statusCode > 299) {
      abandon(proxyRefusal(statusCode));
      // From Node 26 on the connection is the request's no more.
      tunnel.destroy();
      return;
    }
    if (head.length > 0) tunnel.unshift(head);
    if (encrypt === undefined) {
      end(null, tunnel);
      return;
    }
    const socket = encrypt(tunnel);
    encrypted = socket;
    socket.once('error', end);
    socket.once('secureConnect', () => {
      socket.off('error', end);
      end(null, socket);
    });
  });
  request.end();
};

const openWithinMs = 10_000;

/** `host:port`; an IPv6 address has brackets there. */
const destinationOf = ({ host, port }: ClientRequestArgs): string =>
  `${host?.includes(':') === true ? `[${host}]` : host}:${port}`;

/** The error of a proxy that refuses a request; nothing of it has reached the service. */
export const proxyRefusal = (status: number): TransportError =>
  status === 407
    ? proxyError(
        'EPROXY',
        'the proxy refuses its user or password (407)',
        'Give the proxy as http://user:password@host:port, with special characters percent-encoded.',
      )
    : proxyError(
        'EPROXY',
        `the proxy refuses the connection (${status})`,
        status < 500 ? 'The operator of the proxy has to allow the host and port of the service.' : undefined,
      );

const proxyError = (code: string, message: string, hint?: string): TransportError =>
  new TransportError(code, message, false, hint);
