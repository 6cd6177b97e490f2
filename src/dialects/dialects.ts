import { cloud } from './cloud.js';
import type { Dialect, DialectStrategy } from './dialect.js';
import { local } from './local.js';

/** Every dialect by its public name. */
export const dialects: Readonly<Record<Dialect, DialectStrategy>> = { cloud, local };

/** The strategy of a dialect; without a name that of the cloud. */
export const dialectOf = (name: Dialect = 'cloud'): DialectStrategy => dialects[name];
