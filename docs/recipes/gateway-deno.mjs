// A gateway in Deno: `deno run --allow-net --allow-env --allow-sys gateway-deno.mjs`.
import { bearerTokens, createGateway } from 'promptwire/gateway';
import { createClient } from 'promptwire';

const {
  SERVICE_URL: baseUrl,
  SERVICE_KEY: apiKey,
  GATEWAY_TOKEN: token = '',
  PORT: port = '8080',
} = Deno.env.toObject();
const client = createClient({ baseUrl, apiKey, keptFrames: { jobBytes: 0 } });
const gateway = createGateway({ client, authorize: bearerTokens({ web: token }) });
const listening = ({ port: own }) => console.log(`listening on http://127.0.0.1:${own}`);
const server = Deno.serve({ hostname: '127.0.0.1', port: Number(port), onListen: listening }, gateway.fetch);

Deno.addSignalListener('SIGTERM', async () => {
  await gateway.close();
  await server.shutdown();
  await client.close();
  Deno.exit();
});
