// A gateway as a server of its own: its callers run jobs, and the service's key stays here.
import { bearerTokens, createGateway } from 'promptwire/gateway';
import { connect } from './service.js';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from 'promptwire/gateway/node';
import { visit } from './visitor.js';

const token = process.env['GATEWAY_TOKEN'] ?? 'the-token-of-a-demonstration';
const { client, close } = await connect();
const gateway = createGateway({ client, authorize: bearerTokens({ web: token }) });
// Longer than a load balancer keeps connections, and no bound for uploads that move.
const times = { requestTimeout: 0, keepAliveTimeout: 75_000, headersTimeout: 80_000 };
const server = createServer(times, toNodeHandler(gateway));
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
console.log(`listening on http://127.0.0.1:${port}`);

// One visitor, so that this program shows something and ends; `PORT=8080` keeps it serving.
if (process.env['PORT'] === undefined) {
  await visit(`http://127.0.0.1:${port}`, token);
  await gateway.close();
  server.close();
  await close();
}
