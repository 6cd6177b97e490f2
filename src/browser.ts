import { createClientOn } from './client/client.js';
import { lazyDurations } from './client/jobs/lazy-durations.js';
import { browserPlatform } from './core/platform/browser.js';
import type { Client, ClientOptions, Platform } from './index.js';

export * from './index.js';

/**
 * Makes the platform that `createClient` uses without the option `platform`: the WebSocket, fetch and clock of the page, and no
 * disk.
 *
 * Spread it to replace single members. It opens nothing before a client asks for something.
 */
export const defaultPlatform = (): Platform => browserPlatform();

/**
 * Makes a client: one service, one connection, in a page over its own WebSocket and fetch.
 *
 * As on Node.js, with what a page can't do: it has no disk, so `download` errors; it can't ping, so a silent job is asked
 * for over REST; and it can't read where a view redirects to, so `rest.view` of a cloud file fails and says so. A key in a
 * page is a key in its visitors' hands: pages talk to a server of yours that holds it (docs/protocol.md, chapter 1).
 *
 * @example
 * ```ts
 * import { createClient } from 'promptwire';
 *
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local' });
 * client.connection.subscribe(({ _tag }) => console.log(_tag));
 * ```
 */
export const createClient = (options: ClientOptions): Client =>
  createClientOn(browserPlatform(), options, undefined, lazyDurations);
