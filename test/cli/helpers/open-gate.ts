import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** A proxy in front of the emulator that holds requests. */
export interface Gate {
  readonly baseUrl: string;
  readonly wsUrl: string;
  /** Resolves once a request that is held has come, and done its work at the emulator. */
  readonly arrived: Promise<void>;
  /** Holds nothing any more from now on. */
  readonly release: () => void;
  readonly close: () => Promise<void>;
}

/**
 * Passes requests on to the emulator and answers back, except that what begins with `held` (`METHOD /path`) is never
 * answered, though the emulator has done it. Sockets are all held.
 */
export const openGate = async (baseUrl: string, held: string): Promise<Gate> => {
  let arrive = (): void => undefined;
  let isHeld = (asked: string): boolean => asked.startsWith(held);
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const sockets: Duplex[] = [];

  const server = createServer((incoming, answer) => {
    const { method = '', url = '', headers } = incoming;
    const onward = request(new URL(url, baseUrl), { method, headers, agent: false }, (response) => {
      if (isHeld(`${method} ${url}`)) response.resume().once('end', arrive);
      else pass(response, answer);
    });
    // The emulator goes away with the test; an agent keeps its connections no longer than that.
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  server.on('upgrade', (_, socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    arrive();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    arrived,
    release: () => (isHeld = () => false),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const pass = (
  response: NodeJS.ReadableStream & { readonly statusCode?: number; readonly headers: object },
  answer: ServerResponse,
): void => {
  answer.writeHead(response.statusCode ?? 500, { ...response.headers });
  response.pipe(answer);
};
