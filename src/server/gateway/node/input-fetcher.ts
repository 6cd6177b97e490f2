import type { InputFetcher } from '../calls/input-fetcher.js';
import type { Platform } from '../../../core/platform/platform.js';

/**
 * Makes what reads the inputs that callers of a gateway name by address, which connects to public addresses only.
 *
 * `platform` is `defaultPlatform()` on Node.js, and the fetcher's own: it closes it with itself. The addresses of a name are checked in the
 * look-up that the connection itself uses. Hosts that the operator lists by a private name or address are not checked. No redirect is followed.
 *
 * @example
 * ```ts
 * import { bearerTokens, createGateway } from 'promptwire/gateway';
 * import { createClient, defaultPlatform } from 'promptwire';
 * import { inputFetcher } from 'promptwire/gateway/node';
 *
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local' });
 * const gateway = createGateway({
 *   client,
 *   authorize: bearerTokens({ web: 'a-long-random-token' }),
 *   inputs: { fetcher: inputFetcher(defaultPlatform()), origins: ['https://files.example'] },
 * });
 * ```
 */
export const inputFetcher = (platform: Pick<Platform, 'request' | 'close'>): InputFetcher => ({
  fetch: async ({ url, anyAddress, signal }) => {
    const { status, headers, body, discard } = await platform.request({
      ...{ method: 'GET', url, signal, streamed: true },
      headers: { accept: '*/*', 'user-agent': 'promptwire' },
      ...(!anyAddress && { addressClass: 'public' }),
    });
    return { status, mediaType: headers['content-type'], body, discard };
  },
  close: async () => {
    await platform.close?.();
  },
});
