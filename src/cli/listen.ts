import type { AddressInfo } from 'node:net';
import { errorCode } from './error-code.js';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { UsageError } from './cli-io.js';

/** Where a server listens. */
export interface Listening {
  readonly server: Server;
  /** `http://host:port`. */
  readonly address: string;
}

/** Listens; throws `UsageError` where the port can't be had, and for an empty host, which would be every address of the machine. */
export const listen = async (
  server: Server,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<Listening> => {
  if (host.trim() === '')
    throw new UsageError('--host is empty: the variable that it comes from may be unset in this process');
  server.listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    const code = errorCode(error) ?? 'unknown reason';
    throw new UsageError(`can't listen on ${host} port ${port} (${code}); --port 0 finds a free one`);
  });
  return { server, address: addressOf(server) };
};

const addressOf = (server: Server): string => {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
};
