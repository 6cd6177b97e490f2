// A gateway in Bun: `bun gateway-bun.mjs`.
import { bearerTokens, createGateway } from 'promptwire/gateway';
import { createClient } from 'promptwire';

const {
  SERVICE_URL: baseUrl,
  SERVICE_KEY: apiKey,
  GATEWAY_TOKEN: token = '',
  PORT: port = '8080',
} = process.env;
const client = createClient({ baseUrl, apiKey, keptFrames: { jobBytes: 0 } });
const gateway = createGateway({ client, authorize: bearerTokens({ web: token }) });
// Bun ends a connection that is silent for ten seconds, unless `idleTimeout` is 0.
const server = Bun.serve({ hostname: '127.0.0.1', port: Number(port), idleTimeout: 0, fetch: gateway.fetch });
console.log(`listening on http://127.0.0.1:${server.port}`);

process.once('SIGTERM', async () => {
  await gateway.close();
  await server.stop();
  await client.close();
});
