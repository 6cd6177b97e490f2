import { BehaviorSubject, EMPTY, firstValueFrom, map, of } from 'rxjs';
import type { Client } from '../../../src/client/client-types.js';
import { describe, expect, it } from 'vitest';
import type { GatewayPool } from '../../../src/server/gateway/services/gateway-pool.js';
import type { GatewayQueue } from '../../../src/server/gateway/services/gateway-queue.js';
import { poolServer } from '../../cli/helpers/pool-server.js';
import { serverRegistry } from '../../../src/server/gateway/servers/server-registry.js';

/** A pool of these servers, and what was asked of it. */
const pooled = (...names: readonly string[]) => {
  const asked: string[] = [];
  const modes = new BehaviorSubject<Readonly<Record<string, 'active' | 'paused' | 'draining'>>>({});
  const change = (mode: 'active' | 'paused' | 'draining') => (name: string) => {
    asked.push(`${mode} ${name}`);
    modes.next({ ...modes.value, [name]: mode });
  };
  const pool = {
    viewUpload: () => undefined,
    servers: modes.pipe(
      map((known) => names.map((name) => ({ ...poolServer(), name, mode: known[name] ?? 'active' }))),
    ),
    pauseServer: change('paused'),
    resumeServer: change('active'),
    // It may run jobs for hours.
    drainServer: (name: string) => {
      change('draining')(name);
      return new Promise<void>(() => undefined);
    },
  };
  return { asked, pool: pool as unknown as GatewayPool };
};

const client = {} as Client;
const namesOf = async (registry: ReturnType<typeof serverRegistry>) =>
  (await firstValueFrom(registry!.servers)).map(({ name }) => name);

describe('the servers behind a gateway', () => {
  it('are those of all of its pools, and none before a service alone', async () => {
    const registry = serverRegistry([pooled('a', 'b').pool, client, pooled('c').pool], undefined);
    expect(await namesOf(registry)).toEqual(['a', 'b', 'c']);
    expect(serverRegistry([client], undefined)).toBeUndefined();
  });

  it('are changed in the pool that has the server, and given as they are then', async () => {
    const [one, other] = [pooled('a', 'b'), pooled('c')];
    const registry = serverRegistry([one.pool, other.pool], undefined)!;
    expect(await registry.change('c', 'pause')).toMatchObject({ name: 'c', mode: 'paused' });
    expect(await registry.change('c', 'resume')).toMatchObject({ name: 'c', mode: 'active' });
    expect(await registry.change('b', 'drain')).toMatchObject({ name: 'b', mode: 'draining' });
    expect(await registry.change('d', 'pause')).toBeUndefined();
    expect([one.asked, other.asked]).toEqual([['draining b'], ['paused c', 'active c']]);
  });

  it('are none of a pool that is closed, and a drain that fails is no error of who asked for it', async () => {
    const closed = { ...pooled('a').pool, servers: EMPTY } as unknown as GatewayPool;
    expect(await serverRegistry([closed], undefined)!.change('a', 'pause')).toBeUndefined();
    const failing = {
      ...pooled('a').pool,
      drainServer: () => Promise.reject(new Error('closed')),
    } as unknown as GatewayPool;
    expect(await serverRegistry([failing], undefined)!.change('a', 'drain')).toMatchObject({ name: 'a' });
  });

  it('are those of the queue where there is one, if it can change them', async () => {
    const note = () => Promise.resolve();
    const queue = {
      ...{ servers: of([{ ...poolServer(), name: 'q' }]), pauseServer: note, resumeServer: note },
      drainServer: note,
    } as unknown as GatewayQueue;
    expect(await namesOf(serverRegistry([pooled('a').pool], queue))).toEqual(['q']);
    for (const name of ['servers', 'pauseServer', 'resumeServer', 'drainServer'])
      expect(serverRegistry([pooled('a').pool], { ...queue, [name]: undefined })).toBeUndefined();
  });
});
