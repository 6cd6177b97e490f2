// A gateway in Next: `app/comfy/[...path]/route.js`. Its routes are below /comfy.
import { bearerTokens, createGateway } from 'promptwire/gateway';
import { createClient } from 'promptwire';

/** Next loads a route again while it is developed; the gateway is one for the process. */
const start = () => {
  const { SERVICE_URL: baseUrl, SERVICE_KEY: apiKey, GATEWAY_TOKEN: token = '' } = process.env;
  const client = createClient({ baseUrl, apiKey, keptFrames: { jobBytes: 0 } });
  return createGateway({ client, authorize: bearerTokens({ web: token }), mount: '/comfy' });
};
const { fetch } = (globalThis.gateway ??= start());

/** A process that stays: no edge, and nothing made when the app is built. */
export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';
export { fetch as DELETE, fetch as GET, fetch as HEAD, fetch as OPTIONS, fetch as POST, fetch as PUT };
