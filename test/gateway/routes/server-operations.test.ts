import { describe, expect, it } from 'vitest';
import { BehaviorSubject, EMPTY, firstValueFrom, type Observable, throwError } from 'rxjs';
import type { Caller } from '../../../src/server/gateway/options.js';
import { poolServer } from '../../cli/helpers/pool-server.js';
import type { RemoteServer } from '../../../src/core/events/remote-server.js';
import type { RouteCall } from '../../../src/server/gateway/http/route.js';
import { serverOperations } from '../../../src/server/gateway/routes/server-operations.js';
import type { ServerRegistry } from '../../../src/server/gateway/servers/server-registry.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const attic: RemoteServer = poolServer();
const account = serviceError('NotSupported', {});
const away = serviceError('Network', { code: 'ECONNREFUSED', sent: false });

/** The operations over servers, and a call of one by a caller with a right. */
const setUp = (registry: Partial<ServerRegistry> | undefined) => {
  const clock = virtualClock();
  const closing = new AbortController();
  const changed: string[][] = [];
  const whole = registry && {
    servers: new BehaviorSubject([attic]),
    change: (...asked: readonly string[]) => {
      changed.push([...asked]);
      return Promise.resolve(asked[0] === 'attic' ? attic : undefined);
    },
    ...registry,
  };
  const operations = serverOperations({ registry: whole, clock, closing: closing.signal });
  const callBy = (servers: Caller['servers'], accept = '', name = 'attic') =>
    ({
      caller: { name: 'ann', ...(servers !== undefined && { servers }) },
      request: new Request('http://h/servers', { headers: { accept } }),
      params: { name },
      ended: () => undefined,
    }) as unknown as RouteCall;
  return { ...operations, callBy, changed, clock, closing };
};
const failing = (error: unknown): Observable<never> => throwError(() => error);
const rejecting = (error: unknown): Promise<never> => firstValueFrom(failing(error));

describe('the servers of a gateway', () => {
  it('are listed for callers who may see them, and for no others', async () => {
    const { list, callBy } = setUp({});
    for (const right of ['see', 'change'] as const)
      expect(await ((await list(callBy(right))) as Response).json()).toEqual({ servers: [attic] });
    expect(await list(callBy(undefined))).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await list(callBy(undefined))).toMatchObject({
      message: expect.stringContaining('see') as string,
    });
  });

  it('are an empty list where nothing tells of any, and none where the gateway has none', async () => {
    const empty = setUp({ servers: EMPTY });
    expect(await ((await empty.list(empty.callBy('see'))) as Response).json()).toEqual({ servers: [] });
    for (const registry of [undefined, { servers: failing(account) }]) {
      const { list, events, callBy } = setUp(registry);
      for (const operation of [list, events])
        expect(await operation(callBy('see'))).toMatchObject({ status: 501 });
    }
  });

  it('are no answer where they fail for another reason', async () => {
    for (const error of [new Error('away'), away]) {
      const { list, events, callBy } = setUp({ servers: failing(error) });
      for (const operation of [list, events]) await expect(operation(callBy('see'))).rejects.toBe(error);
    }
  });
});

describe('the stream of servers', () => {
  it('is for callers who may see them, in the form that is asked for', async () => {
    const { events, callBy, closing } = setUp({});
    expect(await events(callBy(undefined))).toMatchObject({ status: 403 });
    const [sse, ndjson] = [await events(callBy('see')), await events(callBy('see', 'Application/X-NDJSON'))];
    const types = [sse, ndjson].map((answer) => (answer as Response).headers.get('content-type'));
    expect(types).toEqual(['text/event-stream', 'application/x-ndjson']);
    expect((sse as Response).headers.get('cache-control')).toBe('no-cache, no-transform');
    const reader = (ndjson as Response).body!.getReader();
    const text = new TextDecoder().decode((await reader.read()).value);
    expect(JSON.parse(text)).toMatchObject({ event: 'servers', data: { servers: [attic] } });
    closing.abort();
    expect((await reader.read()).done).toBe(true);
  });

  it('is cut where its reader takes nothing for 30 s of what there is', async () => {
    const servers = new BehaviorSubject<readonly RemoteServer[]>([attic]);
    const { events, callBy, clock } = setUp({ servers });
    const reader = ((await events(callBy('see'))) as Response).body!.getReader();
    await reader.read();
    servers.next([]);
    await clock.advance(29_999);
    expect(servers.observed).toBe(true);
    await clock.advance(1);
    expect([servers.observed, clock.pending()]).toEqual([false, 0]);
    await expect(reader.read()).rejects.toThrow();
  });
});

describe('the change of a server', () => {
  it('is for callers who may change them, by its name', async () => {
    const { change, callBy, changed } = setUp({});
    for (const right of [undefined, 'see'] as const)
      expect(await change('pause')(callBy(right))).toMatchObject({
        ...{ status: 403, message: expect.stringContaining('change') as string },
      });
    expect(changed).toEqual([]);
    for (const what of ['pause', 'resume', 'drain'] as const)
      expect(await ((await change(what)(callBy('change'))) as Response).json()).toEqual(attic);
    expect(await change('pause')(callBy('change', '', 'cellar'))).toMatchObject({ status: 404 });
    expect(changed).toEqual([
      ...['pause', 'resume', 'drain'].map((what) => ['attic', what]),
      ['cellar', 'pause'],
    ]);
  });

  it('is refused where the gateway has no servers, or they can’t be reached', async () => {
    const none = setUp(undefined);
    const refused = await none.change('pause')(none.callBy('change'));
    expect(refused).toMatchObject({ status: 501 });
    const ofAccount = setUp({ change: () => rejecting(account) });
    expect(await ofAccount.change('pause')(ofAccount.callBy('change'))).toEqual(refused);
    for (const [error, status] of [
      [account, 501],
      [away, 503],
    ] as const) {
      const { change, callBy } = setUp({ change: () => rejecting(error) });
      expect(await change('pause')(callBy('change'))).toMatchObject({ status });
    }
    const broken = setUp({ change: () => rejecting(new Error('a bug')) });
    await expect(broken.change('pause')(broken.callBy('change'))).rejects.toThrow('a bug');
  });
});
