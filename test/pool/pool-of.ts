import { createPoolOn } from '../../src/client/pool/create-pool.js';
import { type Engine, engine, type EngineOptions } from './engine.js';
import type { Pool, PoolOptions, ServerOptions } from '../../src/client/pool/pool-types.js';
import { virtualClock, type VirtualClock } from '../../src/testing/virtual-clock.js';

/** An engine of a test, and what it is to the pool. */
export type Member = Omit<EngineOptions, 'clock'> & Partial<ServerOptions>;

/** A pool over engines in virtual time. */
export interface PlayedPool {
  readonly clock: VirtualClock;
  readonly pool: Pool;
  readonly at: (name: string) => Engine;
  /** The address and options of a member, for `addServer`. */
  readonly server: (member: Member) => ServerOptions;
}

export const addressOf = (name: string): string => `http://${name}:8188`;

export const poolOf = (
  members: readonly Member[],
  options: Omit<PoolOptions, 'servers'> = {},
): PlayedPool => {
  const clock = virtualClock();
  const engines = new Map<string, Engine>();
  const server = ({ speed, loadMs, models, memory, ...member }: Member): ServerOptions => {
    const given = { name: member.name, speed, loadMs, models, memory };
    engines.set(
      addressOf(member.name),
      engine({
        clock,
        ...(Object.fromEntries(
          Object.entries(given).filter(([, value]) => value !== undefined),
        ) as typeof given & { name: string }),
      }),
    );
    return { dialect: 'local', ...member, baseUrl: addressOf(member.name) };
  };
  const ids = { next: 0 };
  const pool = createPoolOn(
    ({ baseUrl }) => found(engines.get(baseUrl)).client,
    { clock, uuid: () => `id-${(ids.next += 1)}` },
    { ...options, servers: members.map(server) },
  );
  return { clock, pool, server, at: (name) => found(engines.get(addressOf(name))) };
};

const found = (one: Engine | undefined): Engine => {
  if (one === undefined) throw new Error('The test has no such engine.');
  return one;
};
