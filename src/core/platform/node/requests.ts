import type { HttpRequest } from '../platform.js';
import { httpRequests } from './http-requests.js';
import type { NodeAgentsOptions } from './agents.js';
import { nodeCalls } from './undici-requests.js';
import type { RequestSender } from './request-sender.js';

/**
 * Sends calls by undici, and files by Node's HTTP client: undici 7 ends the process where a body without a length ends while
 * its reader lets it wait. An agent of the user belongs to that client, and so sends everything.
 */
export const nodeRequests = (options: NodeAgentsOptions = {}): RequestSender => {
  if (options.agent !== undefined) return httpClientRequests(options);
  const calls = nodeCalls();
  const files = httpRequests(options);
  return {
    request: (request) => (isFile(request) ? files : calls).request(request),
    close: async () => {
      await Promise.all([calls.close(), files.close()]);
    },
  };
};

/** Only the sender of files checks the address that it connects to. */
const isFile = ({ streamed, addressClass }: HttpRequest): boolean =>
  streamed === true || addressClass !== undefined;

/**
 * Sends everything by Node's HTTP client: each POST over a connection of its own, all else over connections that are kept.
 *
 * A server may close an idle connection at the very moment at which a request is written to it, and then the client can't
 * know whether the request arrived.
 */
export const httpClientRequests = (options: NodeAgentsOptions = {}): RequestSender => {
  const kept = httpRequests(options);
  const own = httpRequests({ ...options, keepsConnections: false });
  return {
    request: (request) => (request.method === 'POST' ? own : kept).request(request),
    close: async () => {
      await Promise.all([own.close(), kept.close()]);
    },
  };
};
