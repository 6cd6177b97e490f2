import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jsonLines } from './json-lines.js';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { startCli } from './start-cli.js';
import { WebSocketServer } from 'ws';

/** What the doctor says of one check. */
export interface Line {
  readonly kind: string;
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly fix?: string;
}

/** Runs the doctor; its exit code, and what it says of each check. */
export const examined = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const running = startCli(['doctor', '--json', '--patience', '5', ...args], {
    env: { PROMPTWIRE_API_KEY: 'key-of-the-account', PROMPTWIRE_STATE_DIR: '/nonexistent/state', ...env },
  });
  const code = await running.exit;
  const lines = (jsonLines(running.stdout()) as unknown as readonly Line[]).filter(
    ({ kind }) => kind === 'check',
  );
  const of = (check: string): Line | undefined => lines.find((line) => line.check === check);
  const firstFailed = lines.find(({ status }) => status === 'failed');
  return { code, lines, of, firstFailed, text: running.stdout() + running.stderr() };
};

/** Serves these answers until the end of the test; its address. */
export const serving = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A cloud service as far as the doctor asks for one, with these answers beside; it has no socket. */
export const account =
  (
    status: string,
    headers: Readonly<Record<string, string>> = {},
    answers: Readonly<Record<string, unknown>> = {},
  ): RequestListener =>
  ({ url = '' }, response) => {
    const known: Readonly<Record<string, unknown>> = { '/api/user': { status }, ...answers };
    response.writeHead(url in known ? 200 : 404, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(known[url] ?? {}));
  };

/** The environment that names this service. */
export const at = (url: string): Record<string, string> => ({ PROMPTWIRE_BASE_URL: url });

/** Serves an active account with a socket, which sends `greeting` at first, until the end of the test; its port. */
export const accountWithSocket = async (greeting: string | undefined, autoPong = true): Promise<number> => {
  const server = createServer(account('active')).listen(0, '127.0.0.1');
  const sockets = new WebSocketServer({ server, path: '/ws', autoPong });
  sockets.on('connection', (socket) => {
    if (greeting !== undefined) socket.send(greeting);
    // Nothing more comes, which the doctor sees at once.
    socket.on('ping', () => socket.close());
  });
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};
