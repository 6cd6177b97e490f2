import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Emulator } from '../../src/emulator.js';

/**
 * Opens a page with a script over the emulator, and resolves with the JSON that the script posts to `/report`. Without an emulator
 * the page has itself alone, and `scripts`, by their paths.
 */
export const reportOf = async (
  chromium: string,
  emulator: Emulator | undefined,
  script: string,
  scripts: Readonly<Record<string, string>> = {},
): Promise<unknown> => {
  const service = emulator && { host: '127.0.0.1', port: Number(new URL(emulator.baseUrl).port) };
  const { server, report, address } = await serve({ ...scripts, '/page.js': script }, service);
  onTestFinished(() => end(server));
  return Promise.race([report, browse(chromium, address)]);
};

/** A page may only talk to its own origin: this gives it its script, passes REST on to the service and tunnels the socket. */
const serve = async (
  scripts: Readonly<Record<string, string>>,
  service: { readonly host: string; readonly port: number } | undefined,
) => {
  const passOn = (incoming: IncomingMessage, answer: ServerResponse): void => {
    if (service === undefined) {
      answer.writeHead(404).end();
      return;
    }
    const { url, method, headers } = incoming;
    const passed = request({ ...service, path: url, method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    incoming.pipe(passed);
  };
  const tunnel = ({ url, headers }: IncomingMessage, socket: Duplex): void => {
    if (service === undefined) {
      socket.destroy();
      return;
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
    const upstream = connect(service, () => {
      upstream.write(`GET ${url ?? '/'} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [upstream, socket])
      end.on('error', () => [upstream, socket].forEach((one) => one.destroy()));
  };
  const answers: Readonly<Record<string, readonly [type: string, body: string]>> = {
    '/': ['text/html', '<!doctype html><script type="module" src="/page.js"></script>'],
    ...Object.fromEntries(
      Object.entries(scripts).map(([path, text]) => [path, ['text/javascript', text] as const]),
    ),
  };
  const server = createServer();
  const report = new Promise<unknown>((resolve) => {
    server.on('request', (incoming: IncomingMessage, answer: ServerResponse) => {
      const known = answers[incoming.url ?? ''];
      if (known !== undefined) answer.writeHead(200, { 'content-type': known[0] }).end(known[1]);
      else if (incoming.url === '/report') {
        answer.end();
        void text(incoming).then((body) => resolve(JSON.parse(body)));
      } else passOn(incoming, answer);
    });
  });
  server.on('upgrade', tunnel);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, report, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
};

const end = (server: Server): void => {
  server.closeAllConnections();
  server.close();
};

/** Opens the address in a browser without a window; rejects where that ends by itself. */
const browse = async (chromium: string, address: string): Promise<never> => {
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
  const quiet = ['gpu', 'quic', 'background-networking', 'component-update', 'sync'];
  const flags = ['headless', 'no-sandbox', 'no-first-run', 'remote-debugging-port=0'];
  const child = spawn(
    chromium,
    [
      ...[...flags, ...quiet.map((what) => `disable-${what}`), `user-data-dir=${profile}`].map(
        (flag) => `--${flag}`,
      ),
      address,
    ],
    { stdio: 'ignore' },
  );
  const gone = once(child, 'close');
  onTestFinished(async () => {
    child.kill();
    await gone;
    // Its helpers may write to the profile for a moment longer.
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  });
  await gone;
  throw new Error('Chromium ended before the page had reported');
};
