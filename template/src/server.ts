// The page and its gateway, which holds the key: the page sends a prompt, and no workflow.
import { createClient } from 'promptwire';
import { createGateway } from 'promptwire/gateway';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { openService } from './service.js';
import { readFile } from 'node:fs/promises';
import { template } from 'promptwire/workflow';
import { toNodeHandler } from 'promptwire/gateway/node';
import type { AddressInfo } from 'node:net';
import { workflow } from './workflow.js';

const picture = template(workflow, { prompt: 'Prompt.text' });
if (picture._tag === 'Left') throw picture.left;

const service = await openService();
const client = createClient(service);
// Everyone who reaches this machine is one visitor: name yours by a session before others can.
const gateway = createGateway({
  client,
  authorize: () => ({ name: 'visitor' }),
  templates: { picture: picture.right },
  loopbackOnly: true,
});
const handle = toNodeHandler(gateway);
const files: Readonly<Record<string, readonly [file: URL, type: string]>> = {
  '/': [new URL('../src/page.html', import.meta.url), 'text/html; charset=utf-8'],
  '/page.js': [new URL('page.js', import.meta.url), 'text/javascript; charset=utf-8'],
};

const server = createServer((request, response) => {
  const [file, type = ''] = files[request.url ?? ''] ?? [];
  if (file === undefined) void handle(request, response);
  else
    readFile(file).then(
      (bytes) => response.setHeader('content-type', type).end(bytes),
      () => response.writeHead(500).end(),
    );
});
server.listen(Number(process.env['PORT'] ?? 8080), '127.0.0.1');
await once(server, 'listening');
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

process.once('SIGINT', () => {
  server.close();
  server.closeAllConnections();
  void gateway
    .close()
    .then(() => client.close())
    .then(() => service.close());
});
