import { createClientOn } from './client.js';
import { fileAccess } from './files/file-access.js';
import { bunPlatform } from './platform/bun.js';
import type { Client, ClientOptions, Platform } from './index.js';

export * from './index.js';

/**
 * Makes the platform that `createClient` uses without the option `platform`: the sockets, the HTTP client and the disk of
 * Node.js as Bun has them, and the clock.
 *
 * Spread it to replace single members. It opens nothing before a client asks for something.
 */
export const defaultPlatform = (): Platform => bunPlatform();

/**
 * Makes a client: one service, one connection, on Bun over its own ws and HTTP client.
 *
 * It does what it does on Node.js (docs/guide/runtimes.md). Nothing is opened before something is asked for. Throws a
 * `ServiceError` `InvalidConfig` for options that can't work. `close()`, or leaving an `await using` block, ends everything.
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
  createClientOn(bunPlatform(), options, fileAccess);
