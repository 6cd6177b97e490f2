import type { NodeAgentsOptions } from './agents.js';
import type { RequestSender } from './request-sender.js';
import { nodeStreams } from './streams.js';

/**
 * Sends everything by Node's HTTP client: what must not run twice over a connection of its own, questions and files over
 * connections that are kept.
 *
 * A server may close an idle connection at the very moment at which a request is written to it, and then the client can't
 * know whether the request arrived.
 */
export const httpRequests = (options: NodeAgentsOptions = {}): RequestSender => {
  const kept = nodeStreams(options);
  const own = nodeStreams({ ...options, keepsConnections: false });
  return {
    request: (request) => (request.method === 'POST' ? own : kept).request(request),
    close: async () => {
      await Promise.all([own.close(), kept.close()]);
    },
  };
};
