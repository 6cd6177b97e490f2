import { createClientOn } from './client.js';
import { fileAccess } from './files/file-access.js';
import { nodePlatform } from './platform/node.js';
import type { Client, ClientOptions, Platform } from './index.js';

export * from './index.js';

/**
 * Makes the platform that `createClient` uses without the option `platform`: sockets of ws, calls by undici, files by Node's own
 * HTTP client, the disk, the clock.
 *
 * Spread it to replace single members. It opens nothing before a client asks for something.
 */
export const defaultPlatform = (): Platform => nodePlatform();

/**
 * Makes a client: one service, one connection, on Node.js over ws and Node's own HTTP client.
 *
 * Nothing is opened before something is asked for. Throws a `ServiceError` `InvalidConfig` for options that can't work,
 * such as an address that is none or a key with a line break; its message never quotes the key. `close()`, or leaving an
 * `await using` block, ends everything at once (docs/protocol.md, chapter 1).
 *
 * @example
 * ```ts
 * import { createClient, type Workflow } from 'promptwire';
 *
 * const main = async (workflow: Workflow): Promise<void> => {
 *   await using client = createClient({ baseUrl: 'https://cloud.example', apiKey: process.env['PROMPTWIRE_API_KEY'] });
 *   client.run(workflow).subscribe(({ phase, progress }) => console.log(phase, progress));
 * };
 * ```
 */
export const createClient = (options: ClientOptions): Client =>
  createClientOn(nodePlatform(), options, fileAccess);
