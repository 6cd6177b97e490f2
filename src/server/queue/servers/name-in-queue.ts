import { hostname } from 'node:os';
import type { WorkerPoolServer } from '../options.js';

/**
 * The name of a server in the queue. A loopback address is another server on each machine, so the machine's name stands for it where the
 * program gives the server no name.
 */
export const nameInQueue = ({ name, baseUrl }: Pick<WorkerPoolServer, 'name' | 'baseUrl'>): string => {
  const { host, hostname: address, port } = new URL(baseUrl);
  const isPlain = name.startsWith(host) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(address);
  return isPlain ? `${hostname()}${port === '' ? '' : `:${port}`}${name.slice(host.length)}` : name;
};
