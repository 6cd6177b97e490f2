import type { HttpRequest } from '../../socket/platform.js';
import type { NodeAgentsOptions } from './agents.js';
import { nodeCalls } from './calls.js';
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
