/**
 * Many servers as one: each job goes where it is expected to end soonest, and a server that fails costs no job.
 *
 * @packageDocumentation
 */
import { createClient, defaultPlatform } from 'promptwire';
import { checkPoolOptions } from './client/pool/check-pool-options.js';
import { createPoolOn } from './client/pool/create-pool.js';
import type { Pool, PoolOptions } from './client/pool/pool-types.js';

export { earliestEnd } from './client/pool/placement.js';
export type { Placement, PlacementJob, PlacementServer } from './client/pool/placement.js';
export type {
  GeneratedPoolState,
  IndexedPoolJobState,
  Pool,
  PoolJob,
  PoolJobState,
  PoolListedJob,
  PoolOptions,
  PoolRules,
  ServerOptions,
} from './client/pool/pool-types.js';
export type * from './client/pool/start-options.js';
export type { PoolServer } from './core/state/pool-server.js';
export type { ServerCapabilities } from './core/state/server-capabilities.js';

/**
 * Makes a pool of servers.
 *
 * Nothing is opened before something is asked for. Throws `InvalidConfig` for options that can't work, such as no server, or one address
 * twice. The time is that of the first server's `platform`, where it has one. `close()`, or leaving an `await using` block, ends everything at once.
 *
 * @example
 * ```ts
 * import type { Workflow } from 'promptwire';
 * import { createPool } from 'promptwire/pool';
 *
 * const main = async (workflows: readonly Workflow[]): Promise<void> => {
 *   await using pool = createPool({
 *     servers: [
 *       { baseUrl: 'http://127.0.0.1:8188', dialect: 'local' },
 *       { baseUrl: 'http://192.168.1.20:8188', dialect: 'local', name: 'attic', tags: ['big'] },
 *     ],
 *   });
 *   await pool.runAll(workflows).forEach(({ index, state }) => console.log(index, state.server, state.phase));
 * };
 * ```
 */
export const createPool = (options: PoolOptions): Pool => {
  checkPoolOptions(options);
  return createPoolOn(createClient, options.servers[0]?.platform ?? defaultPlatform(), options);
};
