import type { HttpRequest } from '../platform.js';
import type { NodeAgentsOptions } from './agents.js';
import { nodeCalls } from './undici-requests.js';
import { nodeStreams } from './streams.js';
import type { RequestSender } from './request-sender.js';

/** Sends calls by undici, and fetches files, which are read at the reader's own pace, by Node's HTTP client. */
export const nodeRequests = (options: NodeAgentsOptions = {}): RequestSender => {
  const calls = nodeCalls();
  const streams = nodeStreams(options);
  return {
    request: (request) => (isFile(request) ? streams : calls).request(request),
    close: async () => {
      await Promise.all([calls.close(), streams.close()]);
    },
  };
};

/** Only the sender of files looks at the address that it connects to. */
const isFile = ({ streamed, addressClass }: HttpRequest): boolean =>
  streamed === true || addressClass !== undefined;

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
