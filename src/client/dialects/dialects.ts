import { cloud } from './cloud.js';
import type { DialectStrategy } from './dialect.js';
import { local } from './local.js';
import { v2 } from './v2/v2.js';

/**
 * Which kind of server it is: `cloud` (the interface, with a key), `local` (one engine, no key) or `v2` (API v2: REST and Server-Sent
 * Events, with a key where the server wants one).
 */
export type Dialect = 'cloud' | 'local' | 'v2';

/** Every dialect by its public name, in the order in which a server is asked for them: a new one is its file, and its name here. */
export const dialects: Readonly<Record<Dialect, DialectStrategy>> = { cloud, local, v2 };

/** The strategy of a dialect; without a name that of the cloud. */
export const dialectOf = (name: Dialect = 'cloud'): DialectStrategy => dialects[name];
