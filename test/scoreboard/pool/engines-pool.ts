import { type Engine, engine, type EngineOptions } from '../../pool/engine.js';
import { createPoolOn } from '../../../src/client/pool/create-pool.js';
import type { Pool, PoolOptions } from '../../../src/client/pool/pool-types.js';
import { virtualClock, type VirtualClock } from '../../../src/testing/virtual-clock.js';

/** A pool over engines in virtual time, which keep ledgers of their own. */
export interface EnginesPool {
  readonly clock: VirtualClock;
  readonly engines: readonly Engine[];
  readonly pool: Pool;
}

export const enginesPool = (
  kinds: readonly Omit<EngineOptions, 'clock' | 'name'>[],
  options: Omit<PoolOptions, 'servers'> = {},
): EnginesPool => {
  const clock = virtualClock();
  const engines = kinds.map((kind, index) => engine({ clock, name: nameOf(index), ...kind }));
  const byAddress = new Map(engines.map((one, index) => [`http://${nameOf(index)}`, one]));
  const ids = { next: 0 };
  const pool = createPoolOn(
    ({ baseUrl }) => byAddress.get(baseUrl)!.client,
    { clock, uuid: () => `id-${(ids.next += 1)}` },
    {
      ...options,
      servers: [...byAddress.keys()].map((baseUrl) => ({ baseUrl, dialect: 'local' })),
    },
  );
  return { clock, engines, pool };
};

const nameOf = (index: number): string => `engine-${index}`;
