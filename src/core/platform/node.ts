import type { Platform } from './platform.js';
import type { NodeAgentsOptions } from './node/agents.js';
import { nodeFiles } from './node/files.js';
import { nodeRequests } from './node/requests.js';
import { openNodeSocket } from './node/socket.js';
import { realClock } from './clock.js';
import { uuid } from './uuid.js';

/**
 * The world as Node.js gives it: sockets by ws, calls by undici, files by Node's own HTTP client, the disk, the clock.
 *
 * `close` ends the connections that requests left open; without it they end by themselves and keep no process alive.
 */
export const nodePlatform = (
  options: NodeAgentsOptions = {},
): Platform & { readonly close: () => Promise<void> } => {
  const { request, close } = nodeRequests(options);
  return {
    clock: realClock,
    random: Math.random,
    uuid,
    openSocket: openNodeSocket(options),
    request,
    files: nodeFiles,
    close,
  };
};
