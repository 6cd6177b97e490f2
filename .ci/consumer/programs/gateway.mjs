import { once } from 'node:events';
import { createServer } from 'node:http';
import { createClient } from 'promptwire';
import { bearerTokens, createGateway } from 'promptwire/gateway';
import { toNodeHandler } from 'promptwire/gateway/node';

const client = createClient({ baseUrl: 'http://127.0.0.1:1', dialect: 'local' });
const gateway = createGateway({ client, authorize: bearerTokens({ web: 'a-token-of-some-length' }) });
const server = createServer(toNodeHandler(gateway)).listen(0, '127.0.0.1');
await once(server, 'listening');

const address = `http://127.0.0.1:${server.address().port}`;
const statusOf = async (path, headers) => (await fetch(address + path, { headers })).status;
const authorization = 'Bearer a-token-of-some-length';
console.log(await statusOf('/healthz'), await statusOf('/jobs'), await statusOf('/jobs', { authorization }));
await gateway.close();
server.close();
await client.close();
