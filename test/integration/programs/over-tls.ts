import { createHash } from 'node:crypto';
import { createClient } from '../../../src/node.js';
import { openNodeSocket } from '../../../src/platform/node/socket.js';
import type { SocketEnd } from '../../../src/platform/platform.js';

/** Tells what comes over a socket with TLS and over REST, and how long the messages were that `ws` put together. */
const url = process.env['SERVICE_URL'] ?? '';

const asTold = (data: string | ArrayBuffer): string =>
  typeof data === 'string' ? data : createHash('sha256').update(new Uint8Array(data)).digest('hex');

const allocate = Buffer.allocUnsafe.bind(Buffer);
const putTogether: number[] = [];
Buffer.allocUnsafe = (bytes) => {
  putTogether.push(bytes);
  return allocate(bytes);
};
const messages: string[] = [];
const end = await new Promise<SocketEnd>((resolve) => {
  openNodeSocket()(`${url.replace('https', 'wss')}/ws`, {
    opened: () => undefined,
    message: (data) => messages.push(asTold(data)),
    alive: () => undefined,
    closed: resolve,
  });
});
Buffer.allocUnsafe = allocate;

await using client = createClient({ baseUrl: url, apiKey: 'key-of-the-test' });
const queue = await client.rest.queue()();
process.stdout.write(JSON.stringify({ messages, end, putTogether, queue: queue._tag }));
