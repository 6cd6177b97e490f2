import type { Platform } from './platform.js';
import type { NodeAgentsOptions } from './node/agents.js';
import { nodeFiles } from './node/files.js';
import { openNodeSocket } from './node/socket.js';
import { httpClientRequests } from './node/requests.js';
import { realClock } from './clock.js';
import { uuid } from './uuid.js';

/**
 * The world as Bun gives it: the sockets, the HTTP client and the disk of Node.js, which Bun brings along, and the clock.
 *
 * Bun's undici lacks what calls need, so they go by the HTTP client as well.
 */
export const bunPlatform = ({ agent }: Pick<NodeAgentsOptions, 'agent'> = {}): Platform & {
  readonly close: () => Promise<void>;
} => {
  const { request, close } = httpClientRequests({ agent });
  return {
    clock: realClock,
    random: Math.random,
    uuid,
    openSocket: openNodeSocket({ agent }),
    request,
    files: nodeFiles,
    close,
  };
};
