import { BehaviorSubject, type Observable, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { poolServer } from '../../cli/helpers/pool-server.js';
import type { RemoteServer } from '../../../src/core/events/remote-server.js';
import { serversStream } from '../../../src/server/gateway/servers/servers-stream.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const named = (name: string): readonly RemoteServer[] => [{ ...poolServer(), name }];

const aStream = (servers: Observable<readonly RemoteServer[]>, format: 'sse' | 'ndjson' = 'ndjson') => {
  const clock = virtualClock();
  const [one, other] = [new AbortController(), new AbortController()];
  const end = { count: 0 };
  const stream = serversStream(servers, {
    ...{ clock, format, stallMs: 30_000 },
    ends: [undefined, one.signal, other.signal],
    ended: () => void (end.count += 1),
  });
  const reader = stream.getReader();
  const text = async (): Promise<string | undefined> => {
    const { value } = await reader.read();
    return value && new TextDecoder().decode(value);
  };
  /** The number of the next event, and the name of its server. */
  const next = async () => {
    const read = await text();
    if (read === undefined) return undefined;
    const { id, event, data } = JSON.parse(read) as {
      readonly id: string;
      readonly event: string;
      readonly data: { readonly servers: readonly RemoteServer[] };
    };
    return [id, event, data.servers[0]?.name];
  };
  return { clock, reader, text, next, one, other, end };
};

describe('the stream of servers', () => {
  it('has them now and after each change, of several quick ones the last', async () => {
    const servers = new BehaviorSubject(named('a'));
    const { next } = aStream(servers);
    expect(await next()).toEqual(['1', 'servers', 'a']);
    const waiting = next();
    servers.next(named('b'));
    expect(await waiting).toEqual(['2', 'servers', 'b']);
    for (const name of ['c', 'd', 'e']) servers.next(named(name));
    expect(await next()).toEqual(['5', 'servers', 'e']);
  });

  it('gives signs of life to a reader that waits, none in place of news, and one after a silence', async () => {
    const servers = new Subject<readonly RemoteServer[]>();
    const { clock, text } = aStream(servers, 'sse');
    const [first, second] = [text(), text()];
    await clock.advance(14_999);
    let isHere = false;
    void first.then(() => (isHere = true));
    await clock.advance(0);
    expect(isHere).toBe(false);
    await clock.advance(1);
    expect(await first).toBe(': keep-alive\n\n');
    await clock.advance(15_000);
    expect(await second).toBe(': keep-alive\n\n');
    servers.next(named('a'));
    await clock.advance(20_000);
    expect(await text()).toContain('event: servers\n');
  });

  it('is cut where its reader takes nothing for half a minute, and not where it reads in time', async () => {
    const servers = new Subject<readonly RemoteServer[]>();
    const { clock, reader, next, end } = aStream(servers);
    servers.next(named('a'));
    await clock.advance(29_999);
    expect(await next()).toEqual(['1', 'servers', 'a']);
    servers.next(named('b'));
    await clock.advance(29_999);
    servers.next(named('c'));
    expect(end.count).toBe(0);
    await clock.advance(1);
    await expect(reader.read()).rejects.toThrow('The reader took nothing for 30000 ms.');
    expect([end.count, servers.observed, clock.pending()]).toEqual([1, false, 0]);
  });

  it.each([
    'its own end',
    'the first signal',
    'the last signal',
    'the end of its servers',
    'an error of its servers',
  ])('ends once, by %s, and lets go of everything', async (way) => {
    const servers = new Subject<readonly RemoteServer[]>();
    const { clock, reader, one, other, end } = aStream(servers);
    const read = reader.read().then(
      ({ done }) => (done ? 'closed' : 'bytes'),
      (error: unknown) => String(error),
    );
    if (way === 'its own end') await reader.cancel();
    if (way === 'the first signal') one.abort();
    if (way === 'the last signal') other.abort();
    if (way === 'the end of its servers') servers.complete();
    if (way === 'an error of its servers') servers.error(new Error('away'));
    expect(await read).toBe(way === 'an error of its servers' ? 'Error: away' : 'closed');
    one.abort();
    other.abort();
    await clock.advance(60_000);
    expect([end.count, servers.observed, clock.pending()]).toEqual([1, false, 0]);
  });
});
