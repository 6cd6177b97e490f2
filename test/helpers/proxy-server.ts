import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** What a client asked the proxy for. */
export interface Asked {
  readonly method: string;
  /** `host:port` of a tunnel, else the whole address. */
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
}

/** An HTTP proxy on a loopback port. */
export interface ProxyServer extends AsyncDisposable {
  /** Without user and password. */
  readonly url: string;
  readonly port: number;
  readonly asked: Asked[];
  /** The ports from which the proxy itself connected. */
  readonly ownPorts: Set<number>;
  /** What it answers instead of connecting; `silence` never answers. */
  refusal: number | 'silence' | undefined;
  /** The port of this machine that every tunnel leads to, in place of what the client names. */
  leadsTo: number | undefined;
  /** Ends every connection that it holds. */
  readonly cut: () => void;
}

/** Starts a proxy, which takes no request without this login (`user:password`), if there is one. */
export const proxyServer = async (login?: string): Promise<ProxyServer> => {
  const asked: Asked[] = [];
  const ownPorts = new Set<number>();
  const sockets = new Set<Duplex>();
  const keep = (socket: Socket | Duplex): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const own = (socket: Socket): void => {
    keep(socket);
    if (socket.localPort !== undefined) ownPorts.add(socket.localPort);
  };
  const expected = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
  const refusalOf = (incoming: IncomingMessage): ProxyServer['refusal'] => {
    asked.push({ method: incoming.method ?? '', target: incoming.url ?? '', headers: incoming.headers });
    if (expected !== undefined && incoming.headers['proxy-authorization'] !== expected) return 407;
    return proxy.refusal;
  };

  const forward = (incoming: IncomingMessage, response: ServerResponse): void => {
    const refusal = refusalOf(incoming);
    if (refusal === 'silence') return;
    if (refusal !== undefined) {
      response.writeHead(refusal).end('refused by the proxy');
      return;
    }
    const headers = { ...incoming.headers };
    delete headers['proxy-authorization'];
    const outgoing = request(incoming.url ?? '', { method: incoming.method, headers, agent: false });
    outgoing.on('socket', (socket) => socket.once('connect', () => own(socket)));
    outgoing.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  };

  const server = createServer(forward);
  server.on('connection', keep);
  server.on('connect', (incoming: IncomingMessage, client: Duplex) => {
    const refusal = refusalOf(incoming);
    if (refusal === 'silence') return;
    if (refusal !== undefined) {
      client.end(`HTTP/1.1 ${refusal} Refused\r\ncontent-length: 2\r\n\r\nno`);
      return;
    }
    const { hostname, port } = new URL(`http://${incoming.url}`);
    const host = proxy.leadsTo === undefined ? hostname.replace(/^\[|\]$/gu, '') : '127.0.0.1';
    const upstream = connect(proxy.leadsTo ?? Number(port), host, () => {
      own(upstream);
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    upstream.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const proxy: ProxyServer = {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    ownPorts,
    refusal: undefined,
    leadsTo: undefined,
    cut,
    [Symbol.asyncDispose]: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
};

/** The ports from which connections to these origins come, from now on. */
export const callersOf = (...origins: readonly string[]): ReadonlySet<number> => {
  const ports = new Set(origins.map((origin) => Number(new URL(origin).port)));
  const callers = new Set<number>();
  const note = (message: unknown): void => {
    const { localPort, remotePort } = (message as { readonly socket: Socket }).socket;
    if (localPort !== undefined && ports.has(localPort)) callers.add(remotePort ?? 0);
  };
  subscribe('net.server.socket', note);
  onTestFinished(() => void unsubscribe('net.server.socket', note));
  return callers;
};
