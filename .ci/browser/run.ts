// The client in a real Chromium against the emulator. A page may only talk to its own origin, so one server gives it the
// page, passes REST on to the emulator and tunnels the socket.
import { build } from 'esbuild';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Duplex } from 'node:stream';
import { startEmulator, textToImageWorkflow } from '../../src/emulator/index.js';

const emulator = await startEmulator({ speed: 20 });
const service = { host: '127.0.0.1', port: Number(new URL(emulator.baseUrl).port) };

const pageScript = async (): Promise<string> => {
  const workflow = textToImageWorkflow({ steps: 4, width: 64, height: 64 });
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'page.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    define: { settings: JSON.stringify({ apiKey: emulator.apiKey, workflow }) },
  });
  return outputFiles[0]?.text ?? '';
};

const passOn = (incoming: IncomingMessage, answer: ServerResponse): void => {
  const { url, method, headers } = incoming;
  const passed = request({ ...service, path: url, method, headers }, (given) => {
    answer.writeHead(given.statusCode ?? 502, given.headers);
    given.pipe(answer);
  });
  passed.on('error', () => answer.destroy());
  incoming.pipe(passed);
};

const tunnel = ({ url, headers }: IncomingMessage, socket: Duplex): void => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  const upstream = connect(service, () => {
    upstream.write(`GET ${url ?? '/'} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    upstream.pipe(socket).pipe(upstream);
  });
  for (const end of [upstream, socket])
    end.on('error', () => [upstream, socket].forEach((one) => one.destroy()));
};

const script = await pageScript();
const server = createServer();
const reported = new Promise<unknown>((resolve) => {
  server.on('request', (incoming: IncomingMessage, answer: ServerResponse) => {
    if (incoming.url === '/') {
      answer.setHeader('content-type', 'text/html');
      answer.end('<!doctype html><script type="module" src="/page.js"></script>');
    } else if (incoming.url === '/page.js') {
      answer.setHeader('content-type', 'text/javascript');
      answer.end(script);
    } else if (incoming.url === '/report') {
      answer.end();
      void text(incoming).then((body) => resolve(JSON.parse(body)));
    } else {
      passOn(incoming, answer);
    }
  });
});
server.on('upgrade', tunnel);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
const quiet = ['gpu', 'quic', 'background-networking', 'component-update', 'sync'].map(
  (what) => `--disable-${what}`,
);
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const chromium = spawn('chromium', [
  ...[
    '--headless',
    '--no-sandbox',
    '--no-first-run',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
  ],
  ...quiet,
  address,
]);
const gone = new Promise<void>((resolve) => chromium.on('close', () => resolve()));

const report = await Promise.race([
  reported,
  gone.then(() => Promise.reject(new Error('Chromium ended before the page had reported'))),
]);
chromium.kill();
await gone;
server.closeAllConnections();
server.close();
await emulator.close();
await rm(profile, { recursive: true, force: true });

console.log(report);
const { states, ...rest } = report as { readonly states: number };
assert.ok(states > 5);
assert.deepEqual(rest, {
  phase: 'completed',
  outputs: 2,
  previewTypes: ['image/jpeg'],
  previewNodes: ['3'],
  uploaded: 'Right',
  // A page does not see where a view redirects to, and the client says so instead of following with the key.
  viewed: 'DownloadFailed',
});
