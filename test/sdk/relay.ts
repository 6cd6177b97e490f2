import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reverse proxy on another port. */
export interface Relay extends AsyncDisposable {
  /** With the path of the target's base. */
  readonly baseUrl: string;
}

/** An answer on its way to the client. */
export interface RelayedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What a {@link Relay} changes; nothing by default. */
export interface RelayChanges {
  /** Changes each piece of an event stream. */
  readonly events?: (text: string) => string;
  /** Changes any other answer. */
  readonly answer?: (call: string, answer: RelayedAnswer) => RelayedAnswer;
  /** Takes a header out of the requests. */
  readonly withoutHeader?: string;
}

/** Starts a {@link Relay}; it keeps the client's `Host`. */
export const relayTo = async (
  baseUrl: string,
  { events = (text) => text, answer: change = (_, answer) => answer, withoutHeader = '' }: RelayChanges = {},
): Promise<Relay> => {
  const { hostname, port, pathname } = new URL(baseUrl);
  const server = createServer((incoming, response) => {
    const { method = '', url: path = '' } = incoming;
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).filter(([name]) => name !== withoutHeader),
    );
    const outgoing = request({ hostname, port, method, path, headers }, (answer) => {
      answer.once('error', () => response.destroy());
      if (answer.headers['content-type']?.startsWith('text/event-stream') === true) {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.setEncoding('utf8').on('data', (text: string) => response.write(events(text)));
        answer.once('end', () => response.end());
        return;
      }
      void bodyOf(answer).then((whole) => {
        const call = `${method} ${path.replace(/^.*?\/api\/v2/u, '')}`;
        const { status, body, ...changed } = change(call, {
          status: answer.statusCode ?? 502,
          headers: answer.headers,
          body: whole,
        });
        delete changed.headers['transfer-encoding'];
        // A HEAD announces the length of a body that does not come.
        if (method !== 'HEAD') changed.headers['content-length'] = String(body.length);
        response.writeHead(status, changed.headers).end(body);
      });
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

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};
