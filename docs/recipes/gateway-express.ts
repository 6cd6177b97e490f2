// A gateway below a path of an Express app. It comes before every parser of bodies, as it reads bodies itself.
import { bearerTokens, createGateway } from 'promptwire/gateway';
import { connect } from './service.js';
import express from 'express';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from 'promptwire/gateway/node';
import { visit } from './visitor.js';

const token = process.env['GATEWAY_TOKEN'] ?? 'the-token-of-a-demonstration';
const { client, close } = await connect();
const gateway = createGateway({ client, authorize: bearerTokens({ web: token }), mount: '/comfy' });

const app = express();
app.use('/comfy', toNodeHandler(gateway));
app.use(express.json());
app.get('/', (_request, response) => {
  response.send('an app with a gateway');
});

const server = app.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
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
