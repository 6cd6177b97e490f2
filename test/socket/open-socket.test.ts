import { describe, expect, it } from 'vitest';
import { fakePlatform } from '../helpers/fake-platform.js';
import { openSocket, SocketClosed, startLiveness } from '../../src/core/socket/open-socket.js';
import type { SocketHandle } from '../../src/core/platform/platform.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

const watch = (platform = fakePlatform()) => {
  const seen: unknown[] = [];
  let error: unknown;
  const opened: SocketHandle[] = [];
  const subscription = openSocket(platform, 'ws://127.0.0.1/ws', {
    opened: (socket) => opened.push(socket),
    received: (data) => seen.push(data),
  }).subscribe({
    next: () => seen.push('emitted'),
    error: (problem: unknown) => (error = problem),
    complete: () => seen.push('completed'),
  });
  return { platform, seen, opened, subscription, error: () => error, socket: platform.sockets[0]! };
};

describe('openSocket', () => {
  it('opens one socket for each subscription and none before', () => {
    const platform = fakePlatform();
    const socket = openSocket(platform, 'ws://127.0.0.1/ws', {
      opened: () => undefined,
      received: () => undefined,
    });
    expect(platform.sockets).toHaveLength(0);
    socket.subscribe();
    socket.subscribe();
    expect(platform.sockets).toHaveLength(2);
  });

  it('hands messages over as they are and says when it is open', () => {
    const { socket, seen, opened } = watch();
    socket.open();
    socket.receive('{"a":1}');
    const bytes = new ArrayBuffer(4);
    socket.receive(bytes);
    expect(opened).toHaveLength(1);
    expect(seen[0]).toBe('{"a":1}');
    expect(seen[1]).toBe(bytes);
  });

  it.each([{ code: 1000 }, { code: 1006, errorCode: 'ECONNREFUSED' }, { code: 1006, status: 401 }])(
    'errors with SocketClosed when the server ends it with %o, and never completes',
    (end) => {
      const { socket, error, seen, platform } = watch();
      socket.open();
      socket.end(end);
      expect(error()).toBeInstanceOf(SocketClosed);
      expect((error() as SocketClosed).end).toMatchObject(end);
      expect(seen).toEqual([]);
      expect(platform.clock.pending()).toBe(0);
    },
  );

  it('A4: gives a handshake up after 10 s and closes the socket at once', async () => {
    const { socket, error, platform } = watch();
    await platform.clock.advance(9_999);
    expect(error()).toBeUndefined();
    await platform.clock.advance(1);
    expect((error() as SocketClosed).end.errorCode).toBe('ETIMEDOUT');
    expect(socket.closedBy()).toBe('client at once');
  });

  it.each(['opening', 'open'])('A10: closes on unsubscribe while %s and leaves no timer', (state) => {
    const { socket, subscription, platform, error } = watch();
    if (state === 'open') socket.open();
    subscription.unsubscribe();
    expect(socket.closedBy()).toBe('client');
    expect(platform.clock.pending()).toBe(0);
    expect(error()).toBeUndefined();
  });

  it('hands nothing over after unsubscribing', () => {
    const { socket, subscription, seen } = watch();
    socket.open();
    subscription.unsubscribe();
    socket.receive('late');
    expect(seen).toEqual([]);
  });

  it('A10: starts nothing when a socket opens after unsubscribing', () => {
    const { socket, subscription, platform, opened } = watch();
    subscription.unsubscribe();
    socket.open();
    expect(opened).toHaveLength(0);
    expect(platform.clock.pending()).toBe(0);
  });
});

const watched = (withPing = true) => {
  const clock = virtualClock();
  const calls: string[] = [];
  let received = 0;
  const socket: SocketHandle = {
    send: (text) => calls.push(`send ${text}`),
    close: (immediately) => calls.push(immediately === true ? 'close at once' : 'close'),
    ...(withPing ? { ping: () => calls.push('ping') } : {}),
  };
  const stop = startLiveness(clock, socket, () => received);
  return { clock, calls, stop, receive: () => (received += 1) };
};

describe('startLiveness', () => {
  it('B4: pings every 25 s while the peer answers', async () => {
    const { clock, calls, receive } = watched();
    for (let seconds = 0; seconds < 100; seconds += 5) {
      await clock.advance(5_000);
      receive();
    }
    expect(calls).toEqual(['ping', 'ping', 'ping', 'ping']);
  });

  it('B1: closes at once when nothing arrives within 10 s of a ping', async () => {
    const { clock, calls } = watched();
    await clock.advance(34_999);
    expect(calls).toEqual(['ping']);
    await clock.advance(1);
    expect(calls).toEqual(['ping', 'close at once']);
  });

  it('B3: takes what came before the ping for no answer', async () => {
    const { clock, calls, receive } = watched();
    receive();
    await clock.advance(35_000);
    expect(calls).toEqual(['ping', 'close at once']);
  });

  it('leaves no timer once stopped, in either wait', async () => {
    const first = watched();
    first.stop();
    expect(first.clock.pending()).toBe(0);
    const second = watched();
    await second.clock.advance(26_000);
    second.stop();
    expect(second.clock.pending()).toBe(0);
  });

  it('closes no silent socket where the platform cannot ping', async () => {
    const { clock, calls } = watched(false);
    await clock.advance(100_000);
    expect(calls).toEqual([]);
  });

  it.each([true, false])('B5: closes at once when the machine has slept (can ping: %s)', async (canPing) => {
    const { clock, calls } = watched(canPing);
    await clock.advance(12_000);
    clock.stepWall(8 * 3_600_000);
    await clock.advance(3_000);
    expect(calls).toEqual(['close at once']);
    expect(clock.pending()).toBe(0);
  });

  it('B10: closes once after a program that was busy for 20 s, and not for one that was busy for 8 s', async () => {
    const busy = watched();
    busy.clock.block(20_000);
    await busy.clock.advance(0);
    expect(busy.calls).toEqual(['close at once']);
    const short = watched();
    short.clock.block(8_000);
    await short.clock.advance(0);
    expect(short.calls).toEqual([]);
  });

  it('B6: does not take a wall clock that is set back for sleep', async () => {
    const { clock, calls } = watched();
    clock.stepWall(-3_600_000);
    await clock.advance(20_000);
    expect(calls).toEqual([]);
  });
});
