// A gateway in Next: `app/comfy/[...path]/route.js`. Its routes are below /comfy.
import { bearerTokens, createGateway } from 'promptwire/gateway';
import { createClient } from 'promptwire';

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
  // Next waits for open streams.
  process.once('SIGTERM', () => void gateway.close().then(() => client.close()));
  return gateway;
};

/** Next knows itself by an address of its own; that of its visitors is in the Host header. */
const asVisited = (request) => {
  const { protocol, host, pathname, search } = new URL(request.url);
  return new Request(
    new URL(pathname + search, `${protocol}//${request.headers.get('host') ?? host}`),
    request,
  );
};

/** Next loads a route again while it is developed; the gateway is one for the process. */
const fetch = (request) => (globalThis.gateway ??= start()).fetch(asVisited(request));

/** A process that stays: no edge, and nothing made when the app is built. */
export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';
export { fetch as DELETE, fetch as GET, fetch as HEAD, fetch as OPTIONS, fetch as POST, fetch as PUT };
