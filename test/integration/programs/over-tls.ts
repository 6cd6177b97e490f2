import { createHash } from 'node:crypto';
import { createClient, proxyAgent } from '../../../src/node.js';
import { openNodeSocket } from '../../../src/core/platform/node/socket.js';
import type { SocketEnd } from '../../../src/core/platform/platform.js';

/** Writes what comes over a socket with TLS, and over REST, by a proxy where PROXY_URL names one. */
const { SERVICE_URL: url = '', PROXY_URL: proxy } = process.env;
const agent = proxy === undefined ? undefined : proxyAgent(proxy);

const digest = (data: string | ArrayBuffer): string =>
  typeof data === 'string' ? data : createHash('sha256').update(new Uint8Array(data)).digest('hex');

const messages: string[] = [];
const end = await new Promise<SocketEnd>((resolve) => {
  openNodeSocket({ agent })(`${url.replace('https', 'wss')}/ws`, {
    opened: () => undefined,
    message: (data) => messages.push(digest(data)),
    alive: () => undefined,
    closed: resolve,
  });
});

await using client = createClient({ baseUrl: url, apiKey: 'key-of-the-test', agent });
const queue = await client.rest.queue()();
process.stdout.write(JSON.stringify({ messages, end, queue: queue._tag }));
