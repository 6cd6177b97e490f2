// A gateway below a path of a Hono app. Next route handlers, Bun and Deno take `gateway.fetch` in the same way.
import { bearerTokens, createGateway } from 'promptwire/gateway';
import { connect } from './service.js';
import { Hono } from 'hono';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { visit } from './visitor.js';

const token = process.env['GATEWAY_TOKEN'] ?? 'the-token-of-a-demonstration';
const { client, close } = await connect();
const gateway = createGateway({ client, authorize: bearerTokens({ web: token }), mount: '/comfy' });

const app = new Hono();
app.get('/', (context) => context.text('an app with a gateway'));
// No middleware that compresses: it would hold events back.
app.all('/comfy/*', (context) => gateway.fetch(context.req.raw));

const server = serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 0), hostname: '127.0.0.1' });
// Longer than a load balancer keeps connections, and no bound for uploads that move.
Object.assign(server, { requestTimeout: 0, keepAliveTimeout: 75_000, headersTimeout: 80_000 });
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
console.log(`listening on http://127.0.0.1:${port}`);

// One visitor, so that this program shows something and ends; `PORT=8080` keeps it serving.
if (process.env['PORT'] === undefined) {
  await visit(`http://127.0.0.1:${port}/comfy`, token);
  await gateway.close();
  server.close();
  await close();
}
