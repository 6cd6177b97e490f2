import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reverse proxy on another port. */
export interface Relay extends AsyncDisposable {
  /** With the path of the target's base. */
  readonly baseUrl: string;
}

/** Starts a {@link Relay}; it keeps the client's `Host`, and adds `intoEvents` before each frame of an event stream. */
export const relayTo = async (baseUrl: string, intoEvents = ''): Promise<Relay> => {
  const { hostname, port, pathname } = new URL(baseUrl);
  const server = createServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const outgoing = request({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true;
      answer.on('data', (chunk: Buffer) =>
        response.write(
          isStream ? chunk.toString('latin1').replaceAll('event: ', `${intoEvents}event: `) : chunk,
          'latin1',
        ),
      );
      answer.once('end', () => response.end());
      answer.once('error', () => response.destroy());
    });
    outgoing.on('error', () => response.destroy());
    response.once('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${own}${pathname === '/' ? '' : pathname}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
