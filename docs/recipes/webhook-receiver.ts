// A server that gets the events of its jobs from a gateway's webhook.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { verifyWebhook } from 'promptwire/gateway';

// `whsec_` and 24 to 64 random bytes: the same text that `PUT /webhooks` was given.
const secrets = (process.env['WEBHOOK_SECRETS'] ?? `whsec_${'A'.repeat(32)}`).split(',');
/** A gateway sends a message again whose answer it did not get; a real program keeps the ids beside what it did. */
const seen = new Set<string>();

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
};

const receive = async (request: IncomingMessage): Promise<number> => {
  const verified = await verifyWebhook(secrets, request.headers, await bodyOf(request));
  if (verified._tag === 'Left') {
    console.log(verified.left.message);
    return 400;
  }
  const { id, type, data } = verified.right;
  if (!seen.has(id)) console.log(type, data['job']);
  seen.add(id);
  return 204;
};

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    () => response.writeHead(500).end(),
  );
}).listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
console.log(`listening on http://127.0.0.1:${port}`);

// A request that no one signed, so that this program shows something and ends; `PORT=8080` keeps it serving.
if (process.env['PORT'] === undefined) {
  const { status } = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' });
  console.log(`a request without a signature is answered by ${status}`);
  server.close();
}
