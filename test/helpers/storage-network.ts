import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import type { ConnectOptions } from '../../src/core/platform/node/agents.js';
import { fakePlatform } from './fake-platform.js';
import type { HttpConnection } from '../../src/core/http/connection.js';
import { httpConnection } from './http-connection.js';
import { httpServer, type SeenRequest } from './http-server.js';
import { nodePlatform } from '../../src/core/platform/node.js';
import type { Platform } from '../../src/core/platform/platform.js';

/** Names and addresses of which every connection ends at one loopback server. */
export interface StorageNetwork extends AsyncDisposable {
  readonly connection: HttpConnection;
  /** The resolver of its names. */
  readonly lookup: LookupFunction;
  /** The only way out of it: notes the address and connects to the loopback server. */
  readonly connect: (options: ConnectOptions) => Socket;
  /** Addresses that a connection was opened to, as the client believes. */
  readonly dialled: string[];
  /** What arrived there. */
  readonly seen: readonly SeenRequest[];
}

/** What a {@link StorageNetwork} is made of. */
export interface StorageNetworkOptions {
  readonly baseUrl?: string;
  /** Where the service's view redirects to. */
  readonly location: string | undefined;
  /** The addresses of a name, for the nth time that it is asked for. */
  readonly addresses?: (name: string, nth: number) => readonly string[];
  /** Where the storage redirects to, by the path that was asked; undefined answers with bytes. */
  readonly next?: (path: string) => string | undefined;
  /** Whether the storage ends each connection after its answer, so that the next hop needs another one. */
  readonly hangsUp?: boolean;
}

/** Makes a {@link StorageNetwork}. */
export const openStorageNetwork = async ({
  baseUrl = 'https://service.example',
  location,
  addresses = () => ['93.184.216.34'],
  next = () => undefined,
  hangsUp = false,
}: StorageNetworkOptions): Promise<StorageNetwork> => {
  const server = await httpServer(({ url }, response) => {
    const to = next(url);
    if (hangsUp) response.setHeader('connection', 'close');
    if (to === undefined) response.end('bytes');
    else response.writeHead(302, { location: inAscii(to) }).end();
  });
  const dialled: string[] = [];
  let lookups = 0;
  const lookup: LookupFunction = (name, _, callback) => {
    const found = addresses(name, (lookups += 1));
    callback(
      null,
      found.map((address) => ({ address, family: isIP(address) })),
    );
  };
  const dial: StorageNetwork['connect'] = ({ host, lookup: checked }) => {
    if (isIP(host) !== 0) {
      dialled.push(host);
      return connect(server.port, '127.0.0.1');
    }
    return connect({
      host,
      port: server.port,
      lookup: (name, options, callback) =>
        checked(name, options, (error, found) => {
          if (error === null && Array.isArray(found)) dialled.push(...found.map(({ address }) => address));
          callback(error, [{ address: '127.0.0.1', family: 4 }]);
        }),
    });
  };
  const node = nodePlatform({ lookup, connect: dial });
  const headers: Readonly<Record<string, string>> = location === undefined ? {} : { location };
  const service = fakePlatform(() => ({ status: 302, headers }));
  const platform: Platform = {
    ...service,
    request: (request) =>
      request.url.startsWith(`${baseUrl}/api/view?`) ? service.request(request) : node.request(request),
  };
  return {
    connection: httpConnection(platform, { baseUrl }),
    lookup,
    connect: dial,
    dialled,
    seen: server.seen,
    [Symbol.asyncDispose]: async () => {
      await node.close();
      await server[Symbol.asyncDispose]();
    },
  };
};

/** A header takes no other letters; a host may be written so as well. */
const inAscii = (location: string): string => location.replace(/[^ -~]+/gu, encodeURIComponent);
