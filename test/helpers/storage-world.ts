import { connect, isIP, type LookupFunction } from 'node:net';
import { onTestFinished } from 'vitest';
import type { HttpConnection } from '../../src/http/connection.js';
import { nodePlatform } from '../../src/platform/node.js';
import type { Platform } from '../../src/socket/platform.js';
import { fakePlatform } from './fake-platform.js';
import { httpConnection } from './http-connection.js';
import { httpServer, type SeenRequest } from './http-server.js';

/** A world of names and addresses in which every connection ends at one loopback server. */
export interface StorageWorld {
  readonly connection: HttpConnection;
  /** Addresses that a connection was opened to, as the client believes. */
  readonly dialled: string[];
  /** What arrived there. */
  readonly seen: readonly SeenRequest[];
}

/** What a {@link StorageWorld} is made of. */
export interface StorageWorldOptions {
  readonly baseUrl?: string;
  /** Where the service's view redirects to. */
  readonly location: string | undefined;
  /** The addresses of a name, for the nth time that it is asked for. */
  readonly addresses?: (name: string, nth: number) => readonly string[];
  /** Where the storage redirects to, by the path that was asked; undefined answers with bytes. */
  readonly next?: (path: string) => string | undefined;
}

/** Makes a {@link StorageWorld} that ends with the test. */
export const storageWorld = async ({
  baseUrl = 'https://service.example',
  location,
  addresses = () => ['93.184.216.34'],
  next = () => undefined,
}: StorageWorldOptions): Promise<StorageWorld> => {
  const server = await httpServer(({ url }, response) => {
    const to = next(url);
    if (to === undefined) response.end('bytes');
    else response.writeHead(302, { location: to }).end();
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
  const node = nodePlatform({
    lookup,
    connect: ({ host, lookup: checked }) => {
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
    },
  });
  const headers: Readonly<Record<string, string>> = location === undefined ? {} : { location };
  const service = fakePlatform(() => ({ status: 302, headers }));
  const platform: Platform = {
    ...service,
    request: (request) =>
      request.url.startsWith(`${baseUrl}/api/view?`) ? service.request(request) : node.request(request),
  };
  onTestFinished(async () => {
    await node.close();
    await server[Symbol.asyncDispose]();
  });
  return { connection: httpConnection(platform, { baseUrl }), dialled, seen: server.seen };
};
