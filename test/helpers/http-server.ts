import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server received it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** A server on a loopback port that keeps what it was asked. */
export interface TestServer extends AsyncDisposable {
  readonly server: Server;
  readonly port: number;
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  readonly seen: SeenRequest[];
}

/** Starts a server; `answer` is called when a request has come whole. */
export const httpServer = async (
  answer: (seen: SeenRequest, response: ServerResponse, request: IncomingMessage) => void,
): Promise<TestServer> => {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders } = request;
      const one: SeenRequest = { method, url, headers, rawHeaders, body: Buffer.concat(chunks) };
      seen.push(one);
      answer(one, response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    origin: `http://127.0.0.1:${port}`,
    seen,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** Answers JSON. */
export const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
