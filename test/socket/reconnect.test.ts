import type { ConnectionState } from '../../src/core/socket/connection-state.js';
import { describe, expect, it } from 'vitest';
import { reconnecting } from '../../src/core/socket/reconnect.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import { fakePlatform } from '../helpers/fake-platform.js';

const connect = (
  random?: () => number,
  refusal?: (isHidden: boolean) => Promise<number | undefined>,
  keepsId = false,
  hasAccount?: boolean,
) => {
  const platform = fakePlatform(undefined, { random });
  const seen: unknown[] = [];
  const connection = reconnecting(platform, {
    url: (id) => `ws://127.0.0.1/ws?clientId=${id}`,
    keepsId,
    hasAccount,
    opened: () => undefined,
    received: (data) => seen.push(data),
    ...(refusal === undefined ? {} : { refusal }),
  });
  const states: string[] = [];
  connection.states.subscribe(({ _tag }) => states.push(_tag));
  let error: unknown;
  const subscribe = () =>
    connection.held.subscribe({
      next: () => seen.push('emitted'),
      error: (problem: unknown) => (error = problem),
    });
  const last = () => platform.sockets.at(-1)!;
  /** Lets time pass until the next socket opens, at most the 30 s that a wait may take. */
  const nextSocket = async (): Promise<void> => {
    const before = platform.sockets.length;
    for (let waited = 0; waited <= 30_000 && platform.sockets.length === before; waited += 50) {
      await platform.clock.advance(50);
    }
  };
  return { platform, connection, states, seen, subscribe, error: () => error, last, nextSocket };
};

describe('reconnecting', () => {
  it('connects on subscribe, emits its states, and is idle after unsubscribing', () => {
    const { platform, states, subscribe, last } = connect();
    expect(states).toEqual(['idle']);
    const subscription = subscribe();
    last().open();
    subscription.unsubscribe();
    expect(states).toEqual(['idle', 'connecting', 'open', 'idle']);
    expect(last().closedBy()).toBe('client');
    expect(platform.clock.pending()).toBe(0);
  });

  it('takes a fresh client id for each socket', async () => {
    const { platform, subscribe, last, nextSocket } = connect();
    subscribe();
    last().open();
    last().end();
    await nextSocket();
    const ids = platform.sockets.map(({ url }) => new URL(url).searchParams.get('clientId'));
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    ['C21: keeps the id where the peer ended the socket', { byPeer: true }, 1],
    ['C21: keeps the id where the peer refused the socket', { status: 503 }, 1],
    ['C21: keeps the id where the peer is not there', { errorCode: 'ECONNREFUSED' }, 1],
    ['C21: takes another id where the peer may hold the old socket still', {}, 2],
    ['C21: takes another id after a connection that was reset', { errorCode: 'ECONNRESET' }, 2],
  ])('%s', async (_, end, ids) => {
    const { platform, connection, subscribe, last, nextSocket } = connect(undefined, undefined, true);
    subscribe();
    const first = connection.clientId;
    last().open();
    last().end(end);
    const next = connection.clientId;
    await nextSocket();
    const used = platform.sockets.map(({ url }) => new URL(url).searchParams.get('clientId'));
    expect(used).toEqual([first, next]);
    expect(new Set(used).size).toBe(ids);
  });

  it('C21: takes another id after it closed the socket itself', () => {
    const { platform, subscribe, last } = connect(undefined, undefined, true);
    const subscription = subscribe();
    last().open();
    subscription.unsubscribe();
    subscribe();
    expect(new Set(platform.sockets.map(({ url }) => url)).size).toBe(2);
  });

  it('F36: connects at once where `wake` ends the wait', async () => {
    const { platform, connection, subscribe, last } = connect();
    subscribe();
    last().open();
    last().end();
    connection.wake();
    await platform.clock.advance(0);
    expect(platform.sockets).toHaveLength(2);
    connection.wake();
    await platform.clock.advance(0);
    expect(platform.sockets).toHaveLength(2);
  });

  it('A9: reconnects after every drop, not only the first, and carries on with the messages', async () => {
    const { platform, subscribe, last, seen, nextSocket } = connect();
    subscribe();
    for (let drop = 0; drop < 20; drop += 1) {
      last().open();
      last().receive(`message ${drop}`);
      last().end();
      await nextSocket();
    }
    expect(platform.sockets).toHaveLength(21);
    expect(seen).toHaveLength(20);
  });

  it('A3: waits with full jitter, growing from 1 s to 30 s', async () => {
    const { connection, subscribe, last, nextSocket } = connect(() => 0.999_999);
    subscribe();
    const delays: number[] = [];
    connection.states.subscribe((state) => {
      if (state._tag === 'waiting') delays.push(Math.round(state.delayMs / 1000));
    });
    for (let attempt = 0; attempt < 7; attempt += 1) {
      last().end();
      await nextSocket();
    }
    expect(delays.slice(0, 4)).toEqual([1, 2, 4, 8]);
    expect(Math.max(...delays)).toBeLessThanOrEqual(30);
  });

  it('A8: starts the count anew only after 10 s of a living socket', async () => {
    const { platform, connection, subscribe, last, nextSocket } = connect();
    subscribe();
    const attempts: number[] = [];
    connection.states.subscribe((state) => {
      if (state._tag === 'waiting') attempts.push(state.attempt);
    });
    const live = async (ms: number): Promise<void> => {
      last().open();
      await platform.clock.advance(ms);
      last().end();
      await nextSocket();
    };
    await live(50);
    await live(9_000);
    await live(10_000);
    expect(attempts).toEqual([1, 2, 1]);
  });

  it('B11: is suspended after two minutes without a socket and goes on trying', async () => {
    const { platform, states, subscribe, last, nextSocket } = connect();
    subscribe();
    for (let attempt = 0; attempt < 30; attempt += 1) {
      const isLong = platform.clock.now() >= 120_000;
      last().end({ errorCode: 'ECONNREFUSED' });
      expect(states.at(-1)).toBe(isLong ? 'suspended' : 'waiting');
      await nextSocket();
    }
    expect(states).toContain('suspended');
    const before = platform.sockets.length;
    last().end();
    await nextSocket();
    expect(platform.sockets.length).toBe(before + 1);
    last().open();
    expect(states.at(-1)).toBe('open');
  });

  it('is not suspended at the first drop of a socket that lived for long', async () => {
    const { platform, states, subscribe, last } = connect();
    subscribe();
    last().open();
    for (let minute = 0; minute < 10; minute += 1) {
      await platform.clock.advance(25_000);
      last().pong();
    }
    last().end();
    expect(states.at(-1)).toBe('waiting');
  });

  it.each([
    [402, 'InsufficientCredits', 'billing'],
    [302, 'ProtocolChanged', 'config'],
  ])(
    'A2, A6: stops for good at a handshake refused with %i (%s) until resume',
    async (status, tag, cause) => {
      const { platform, connection, subscribe, last, error } = connect();
      subscribe();
      last().end({ status });
      expect(error()).toMatchObject({ _tag: tag });
      expect(connection.states.value).toMatchObject({ _tag: 'failed', cause });
      const first = error();
      await platform.clock.advance(3_600_000);
      subscribe();
      expect(error()).toBe(first);
      expect(platform.sockets).toHaveLength(1);
      connection.resume();
      expect(connection.states.value).toEqual({ _tag: 'idle' });
      subscribe();
      expect(platform.sockets).toHaveLength(2);
    },
  );

  it.each<[string, { status?: number; code?: number }, number, string]>([
    ['A1: a handshake answered with 401', { status: 401 }, 401, 'Unauthorized'],
    ['A1: a handshake answered with 403', { status: 403 }, 403, 'Forbidden'],
    ['A14: a socket closed with 1008', { code: 1008 }, 401, 'Unauthorized'],
    ['A14: a socket closed with 4401', { code: 4401 }, 401, 'Unauthorized'],
    ['A14: a socket closed with 4403', { code: 4403 }, 403, 'Forbidden'],
  ])('%s stops for good once REST refuses as well, until resume', async (_, end, told, tag) => {
    const { platform, connection, states, subscribe, last, error } = connect(undefined, () =>
      Promise.resolve(told),
    );
    subscribe();
    if (end.status === undefined) last().open();
    last().end(end);
    expect(states.at(-1)).toBe('waiting');
    await platform.clock.advance(0);
    expect(error()).toMatchObject({ _tag: tag, status: told });
    expect(connection.states.value).toMatchObject({ _tag: 'failed', cause: 'auth' });
    await platform.clock.advance(3_600_000);
    expect(platform.sockets).toHaveLength(1);
    connection.resume();
    subscribe();
    expect(platform.sockets).toHaveLength(2);
  });

  it.each([
    ['A15: a handshake answered with 401', { status: 401 }],
    ['A15: a handshake answered with 403', { status: 403 }],
    ['A14: sockets that are closed with 1008 at once', { code: 1008 }],
    ['A14: sockets that are closed with 4401 at once', { code: 4401 }],
  ])('%s while REST accepts the key: a few attempts a minute, ever fewer, and none fails', async (_, end) => {
    const { platform, subscribe, last, error } = connect();
    const openedAt: number[] = [];
    subscribe();
    for (let second = 0, seen = 0; second < 3_600; second += 1) {
      if (platform.sockets.length > seen) {
        openedAt.push(second);
        seen = platform.sockets.length;
        if (!('status' in end)) last().open();
        last().end(end);
      }
      await platform.clock.advance(1_000);
    }
    expect(error()).toBeUndefined();
    expect(openedAt.filter((at) => at < 60).length).toBeLessThanOrEqual(5);
    expect(openedAt.filter((at) => at >= 3_000).length).toBeLessThanOrEqual(5);
    expect(openedAt.length).toBeGreaterThan(10);
  });

  it('A15: connects again after a stray refusal, and begins to count anew once a socket has lived', async () => {
    const { platform, states, subscribe, last } = connect();
    subscribe();
    for (let round = 0; round < 3; round += 1) {
      last().end({ status: 401 });
      const before = platform.sockets.length;
      await platform.clock.advance(15_000);
      expect(platform.sockets.length).toBe(before + 1);
      last().open();
      await platform.clock.advance(10_000);
    }
    expect(states).not.toContain('failed');
  });

  it('A15: waits 5 s and more after each refusal in a row, up to 5 minutes, and asks REST meanwhile', async () => {
    const asked: boolean[] = [];
    const { platform, connection, subscribe, last } = connect(
      () => 0.5,
      (isHidden) => {
        asked.push(isHidden);
        return new Promise((resolve) => void platform.clock.after(4_000, () => resolve(undefined)));
      },
    );
    const waits: number[] = [];
    connection.states.subscribe((state) => {
      if (state._tag === 'waiting') waits.push(state.delayMs);
    });
    subscribe();
    for (const delayMs of [10_000, 15_000, 25_000, 45_000]) {
      last().end({ status: 401 });
      const before = platform.sockets.length;
      await platform.clock.advance(delayMs - 1);
      expect(platform.sockets).toHaveLength(before);
      await platform.clock.advance(1);
      expect(platform.sockets).toHaveLength(before + 1);
    }
    expect(waits).toEqual([10_000, 15_000, 25_000, 45_000]);
    expect(asked).toEqual([false, false, false, false]);
    for (const delayMs of [85_000, 155_000, 155_000]) {
      last().end({ status: 401 });
      const before = platform.sockets.length;
      await platform.clock.advance(delayMs - 1);
      expect(platform.sockets).toHaveLength(before);
      await platform.clock.advance(1);
      expect(platform.sockets).toHaveLength(before + 1);
    }
    last().open();
    await platform.clock.advance(10_000);
    last().end({ code: 1008 });
    expect(waits.at(-1)).toBe(10_000);
  });

  it('A2: believes 429 the third time in a row, unless REST confirms it before', async () => {
    const { connection, subscribe, last, error, nextSocket, platform } = connect();
    subscribe();
    for (let time = 0; time < 2; time += 1) {
      last().end({ status: 429 });
      await nextSocket();
      expect(error()).toBeUndefined();
    }
    last().end({ status: 429 });
    await platform.clock.advance(0);
    expect(error()).toMatchObject({ _tag: 'SubscriptionInactive' });
    expect(connection.states.value).toMatchObject({ _tag: 'failed', cause: 'billing' });
    const told = connect(undefined, () => Promise.resolve(402));
    told.subscribe();
    told.last().end({ status: 429 });
    await told.platform.clock.advance(0);
    expect(told.error()).toMatchObject({ _tag: 'InsufficientCredits' });
  });

  it('A2: goes on after 402 and 429 of a server without accounts, unless REST refuses as well', async () => {
    const { connection, subscribe, last, error, platform } = connect(undefined, undefined, false, false);
    subscribe();
    for (const status of [402, 429, 429, 429, 429, 402]) {
      last().end({ status });
      for (let second = 0; second < 320 && connection.states.value._tag !== 'connecting'; second += 1)
        await platform.clock.advance(1_000);
      expect([error(), connection.states.value._tag]).toEqual([undefined, 'connecting']);
    }
    const told = connect(undefined, () => Promise.resolve(402), false, false);
    told.subscribe();
    told.last().end({ status: 402 });
    await told.platform.clock.advance(0);
    expect(told.error()).toMatchObject({ _tag: 'Forbidden', status: 402 });
    expect(told.connection.states.value).toMatchObject({ _tag: 'failed', cause: 'auth' });
  });

  it('A16: replaces the socket in any state, at once, and does nothing where none is wanted', async () => {
    const { platform, connection, states, subscribe, last } = connect();
    connection.reopen();
    expect(platform.sockets).toHaveLength(0);
    const subscription = subscribe();
    connection.reopen();
    expect(platform.sockets.map(({ closedBy }) => closedBy())).toEqual(['client', undefined]);
    last().open();
    connection.reopen();
    expect(platform.sockets.map(({ closedBy }) => closedBy())).toEqual(['client', 'client', undefined]);
    last().end({ errorCode: 'ECONNREFUSED' });
    connection.reopen();
    expect(platform.sockets).toHaveLength(4);
    last().end({ status: 401 });
    connection.reopen();
    expect(platform.sockets).toHaveLength(5);
    last().open();
    expect(states.slice(-4)).toEqual(['connecting', 'waiting', 'connecting', 'open']);
    subscription.unsubscribe();
    await platform.clock.advance(60_000);
    expect(platform.sockets).toHaveLength(5);
    expect(platform.clock.pending()).toBe(0);
  });

  it('A16: begins to count anew, with another id, where it replaces the socket', async () => {
    const { platform, connection, subscribe, last, nextSocket } = connect(undefined, undefined, true);
    const seen: ConnectionState[] = [];
    connection.states.subscribe((state) => seen.push(state));
    subscribe();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      last().end({ errorCode: 'ECONNREFUSED' });
      await nextSocket();
    }
    const before = last().url;
    connection.reopen();
    expect(seen.slice(-3)).toMatchObject([
      { _tag: 'connecting', attempt: 3 },
      { _tag: 'waiting', attempt: 0, delayMs: 0, reason: 'the socket is opened anew' },
      { _tag: 'connecting', attempt: 0 },
    ]);
    expect(last().url).not.toBe(before);
    last().end({ errorCode: 'ECONNREFUSED' });
    expect(seen.at(-1)).toMatchObject({ _tag: 'waiting', attempt: 1 });
    connection.reopen();
    last().end({ errorCode: 'ECONNREFUSED' });
    expect(seen.at(-1)).toMatchObject({ _tag: 'waiting', attempt: 1 });
    await nextSocket();
    last().open();
    for (let minute = 0; minute < 10; minute += 1) {
      await platform.clock.advance(25_000);
      last().pong();
    }
    connection.reopen();
    last().end({ errorCode: 'ECONNREFUSED' });
    expect(seen.at(-1)).toMatchObject({ _tag: 'waiting' });
  });

  it('ends the wait of a suspended connection at once when it is resumed', async () => {
    const { platform, connection, states, subscribe, last, nextSocket } = connect();
    subscribe();
    while (platform.clock.now() < 120_000) {
      last().end({ errorCode: 'ECONNREFUSED' });
      await nextSocket();
    }
    last().end({ errorCode: 'ECONNREFUSED' });
    expect(states.at(-1)).toBe('suspended');
    const before = platform.sockets.length;
    connection.resume();
    expect(platform.sockets).toHaveLength(before + 1);
  });

  it('takes a fresh id unless it is told to keep it, holds no program open by its count, and passes errors on', async () => {
    const platform = fakePlatform();
    const options: unknown[] = [];
    const after: typeof platform.clock.after = (ms, work, how) => {
      options.push([ms, how]);
      return platform.clock.after(ms, work);
    };
    const clock = { ...platform.clock, after };
    let isBroken = false;
    const broken = new Error('there is no address');
    const { held } = reconnecting(
      { ...platform, clock },
      {
        url: (id) => {
          if (isBroken) throw broken;
          return `ws://127.0.0.1/ws?clientId=${id}`;
        },
        opened: () => undefined,
        received: () => undefined,
      },
    );
    let error: unknown;
    held.subscribe({ error: (problem: unknown) => (error = problem) });
    platform.sockets[0]!.open();
    expect(options).toContainEqual([10_000, { background: true }]);
    platform.sockets[0]!.end({ byPeer: true });
    await platform.clock.advance(1_000);
    expect(new Set(platform.sockets.map(({ url }) => url)).size).toBe(2);
    isBroken = true;
    platform.sockets[1]!.end();
    await platform.clock.advance(2_000);
    expect(error).toBe(broken);
  });

  it('A16: waits before it connects anew where REST is still asked why a handshake failed', () => {
    const { platform, connection, states, subscribe, last } = connect(
      undefined,
      () => new Promise(() => undefined),
    );
    subscribe();
    last().end();
    expect(states).toEqual(['idle', 'connecting']);
    connection.reopen();
    expect(states).toEqual(['idle', 'connecting', 'waiting', 'connecting']);
    expect(platform.sockets).toHaveLength(2);
  });

  it('ends a wait at once when it is resumed, and leaves an open socket alone', () => {
    const { platform, connection, subscribe, last } = connect();
    subscribe();
    last().end({ status: 401 });
    connection.resume();
    expect(platform.sockets).toHaveLength(2);
    last().open();
    connection.resume();
    expect(platform.sockets).toHaveLength(2);
    expect(last().closedBy()).toBeUndefined();
    expect(connection.states.value._tag).toBe('open');
  });

  it.each([200, 404, 426])('A7: believes %i instead of a handshake only the second time', async (status) => {
    const { subscribe, last, error, nextSocket } = connect();
    subscribe();
    last().end({ status });
    expect(error()).toBeUndefined();
    await nextSocket();
    last().end({ status });
    expect(error()).toMatchObject({ _tag: 'ProtocolChanged' });
  });

  it('A1: asks REST once why a handshake failed that did not say, and believes it', async () => {
    const asked: boolean[] = [];
    const { platform, connection, subscribe, last, error } = connect(undefined, (isHidden) => {
      asked.push(isHidden);
      return Promise.resolve(401);
    });
    subscribe();
    last().end();
    await platform.clock.advance(0);
    expect(error()).toMatchObject({ _tag: 'Unauthorized' });
    expect(connection.states.value).toMatchObject({ _tag: 'failed', cause: 'auth' });
    expect(asked).toEqual([true]);
  });

  it('asks no question about a socket that was open, about one whose failure is known, or twice', async () => {
    let asked = 0;
    const { platform, subscribe, last, error, nextSocket } = connect(undefined, () => {
      asked += 1;
      return Promise.resolve(undefined);
    });
    subscribe();
    last().end({ errorCode: 'ECONNREFUSED' });
    await nextSocket();
    last().open();
    last().end();
    await nextSocket();
    last().end();
    await nextSocket();
    await platform.clock.advance(0);
    expect(asked).toBe(0);
    expect(error()).toBeUndefined();
    const other = connect(undefined, () => {
      asked += 1;
      return Promise.resolve(undefined);
    });
    other.subscribe();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      other.last().end();
      await other.nextSocket();
    }
    expect(asked).toBe(1);
  });

  it('A5: gives up where the platform knows that no attempt can succeed, until it is resumed', () => {
    const { platform, subscribe, last, error, connection } = connect();
    subscribe();
    const message = 'The certificate is not accepted.';
    const final = serviceError('Network', { code: 'CERT', sent: false, message, retry: 'never' });
    last().end({ errorCode: 'CERT', final });
    expect(error()).toBe(final);
    expect(connection.states.value).toEqual({ _tag: 'failed', cause: 'config', reason: message });
    connection.resume();
    subscribe();
    expect(platform.sockets).toHaveLength(2);
  });

  it('A5: goes on where the certificate was accepted before: another network, or another server, may be in between', async () => {
    const { subscribe, last, error, states, nextSocket } = connect();
    subscribe();
    last().open();
    last().end();
    await nextSocket();
    last().end({
      errorCode: 'CERT',
      final: serviceError('Network', { code: 'CERT', sent: false, retry: 'never' }),
    });
    expect(error()).toBeUndefined();
    await nextSocket();
    last().open();
    expect(states.slice(-4)).toEqual(['connecting', 'waiting', 'connecting', 'open']);
  });

  it('A5: never gives up on a server that is only down', async () => {
    const { platform, subscribe, last, error, nextSocket } = connect();
    subscribe();
    for (let attempt = 0; attempt < 50; attempt += 1) {
      last().end({ status: 503 });
      await nextSocket();
    }
    expect(error()).toBeUndefined();
    expect(platform.sockets).toHaveLength(51);
  });
});
