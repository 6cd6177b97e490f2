import { cloud } from './cloud.js';
import type { DialectStrategy } from './dialect.js';
import { local } from './local.js';

/** Which kind of server it is: `cloud` (the interface, with a key) or `local` (one engine, no key). */
export type Dialect = 'cloud' | 'local';

/** Every dialect by its public name: a new one is its file, and its name here. */
export const dialects: Readonly<Record<Dialect, DialectStrategy>> = { cloud, local };

/** The strategy of a dialect; without a name that of the cloud. */
export const dialectOf = (name: Dialect = 'cloud'): DialectStrategy => dialects[name];
