import { describe, expect, it } from 'vitest';
import { openSocket, SocketClosed } from '../../src/socket/open-socket.js';
import type { SocketHandle } from '../../src/socket/platform.js';
import { fakePlatform } from '../helpers/fake-platform.js';

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
