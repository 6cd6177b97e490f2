// Asks a service over TLS for its queue and its first frame, by a proxy.
import process from 'node:process';
import { createClient, proxyAgent } from 'promptwire';
import { firstValueFrom } from 'rxjs';

const client = createClient({
  baseUrl: process.env['SERVICE_URL'] ?? '',
  apiKey: 'a-key',
  agent: proxyAgent(process.env['PROXY_URL'] ?? ''),
});
const queue = await client.rest.queue()();
const frame = await firstValueFrom(client.frames);
console.log(queue._tag, frame._tag);
await client.close();
