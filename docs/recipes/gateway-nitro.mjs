// A gateway in Nitro, and so in Nuxt: `server/routes/comfy/[...path].js`. Its routes are below /comfy.
import { bearerTokens, createGateway } from 'promptwire/gateway';
import { createClient } from 'promptwire';
import { fromNodeMiddleware } from 'h3';
import { toNodeHandler } from 'promptwire/gateway/node';

/** Made with the first request: an app is built where no secrets are. */
const start = () => {
  const {
    SERVICE_URL: baseUrl,
    SERVICE_KEY: apiKey,
    GATEWAY_TOKEN: token = '',
    APP_ORIGIN: origin,
  } = process.env;
  const client = createClient({ baseUrl, apiKey, keptFrames: { jobBytes: 0 } });
  const gateway = createGateway({ client, authorize: bearerTokens({ web: token }), mount: '/comfy', origin });
  // Nitro waits for open streams.
  process.once('SIGTERM', () => void gateway.close().then(() => client.close()));
  return toNodeHandler(gateway);
};

let handle;
/** By the request of Node.js, whose body nothing has read. */
export default fromNodeMiddleware((request, response) => (handle ??= start())(request, response));
