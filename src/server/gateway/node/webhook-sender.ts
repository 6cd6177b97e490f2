import type { Platform } from '../../../core/platform/platform.js';
import type { WebhookSender } from '../webhooks/webhook-sender.js';

/**
 * Makes the sender of a gateway's webhooks, which connects to public addresses only.
 *
 * `platform` is `defaultPlatform()` on Node.js, and the sender's own: it closes it with itself. The addresses of a name are checked in
 * the look-up that the connection itself uses, so no name can be public here and private there; one address of another kind refuses the
 * whole name. Hosts that the operator allows are not checked. No redirect is followed, and no answer's body is read.
 *
 * @example
 * ```ts
 * import { bearerTokens, createGateway } from 'promptwire/gateway';
 * import { createClient, defaultPlatform } from 'promptwire';
 * import { filePorts, webhookSender } from 'promptwire/gateway/node';
 *
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local' });
 * const gateway = createGateway({
 *   client,
 *   authorize: bearerTokens({ web: 'a-long-random-token' }),
 *   ...(await filePorts('gateway-data')),
 *   webhooks: { sender: webhookSender(defaultPlatform()) },
 * });
 * ```
 */
export const webhookSender = (platform: Pick<Platform, 'request' | 'close'>): WebhookSender => ({
  send: async ({ url, headers, body, anyAddress, signal }) => {
    const answer = await platform.request({
      method: 'POST',
      url,
      headers,
      json: body,
      signal,
      streamed: true,
      ...(!anyAddress && { addressClass: 'public' }),
    });
    answer.discard();
    return { status: answer.status, retryAfter: answer.headers['retry-after'] };
  },
  close: async () => {
    await platform.close?.();
  },
});
