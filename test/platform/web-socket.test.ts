import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { browserPlatform } from '../../src/core/platform/browser.js';
import { openWebSocket } from '../../src/core/platform/web-socket.js';
import type { SocketEnd, SocketListener } from '../../src/core/platform/platform.js';

/** Stands for the browser's WebSocket; the test plays the other side. */
class PageSocket {
  static readonly OPEN = 1;
  static made: PageSocket[] = [];
  binaryType = 'blob';
  readyState = 0;
  readonly sent: string[] = [];
  closed = 0;
  onopen = (): void => undefined;
  onmessage: (event: { readonly data: unknown }) => void = () => undefined;
  onclose: (event: { readonly code: number; readonly reason: string; readonly wasClean?: boolean }) => void =
    () => undefined;

  readonly url: string;

  constructor(url: string) {
    this.url = url;
    if (!url.startsWith('ws')) throw new SyntaxError(`bad ${url}`);
    PageSocket.made.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.closed += 1;
  }
}

const open = (url = 'wss://x.example/ws?token=secret') => {
  const told: string[] = [];
  const messages: unknown[] = [];
  const ends: SocketEnd[] = [];
  const handle = openWebSocket(() => WebSocket)(url, {
    opened: () => told.push('opened'),
    message: (data) => messages.push(data),
    alive: () => told.push('alive'),
    closed: (end) => ends.push(end),
  });
  return { handle, told, messages, ends, socket: PageSocket.made.at(-1)! };
};

describe('a socket of the page', () => {
  beforeEach(() => {
    PageSocket.made = [];
    vi.stubGlobal('WebSocket', PageSocket);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('asks for buffers, passes messages on and tells the end', () => {
    const { socket, told, messages, ends } = open();
    expect(socket.binaryType).toBe('arraybuffer');
    socket.onopen();
    socket.onmessage({ data: 'a' });
    socket.onclose({ code: 1001, reason: 'away' });
    socket.onclose({ code: 1006, reason: '' });
    expect([told, messages, ends]).toEqual([['opened'], ['a'], [{ code: 1001, reason: 'away' }]]);
  });

  it('sends only while it is open, and cannot ping', () => {
    const { socket, handle } = open();
    handle.send('early');
    socket.readyState = 1;
    handle.send('now');
    expect(socket.sent).toEqual(['now']);
    expect(handle.ping).toBeUndefined();
  });

  it('closes politely, or is over at once for the caller', async () => {
    const polite = open();
    polite.handle.close();
    await Promise.resolve();
    expect([polite.socket.closed, polite.ends.length]).toEqual([1, 0]);
    const abrupt = open();
    abrupt.handle.close(true);
    expect(abrupt.ends).toEqual([]);
    await Promise.resolve();
    abrupt.socket.onopen();
    abrupt.socket.onmessage({ data: 'late' });
    abrupt.socket.onclose({ code: 1000, reason: '' });
    expect([abrupt.told, abrupt.messages, abrupt.ends]).toEqual([[], [], [{ code: 1006, reason: '' }]]);
  });

  it('says that the peer closed it, where that closed it cleanly and this side did not', () => {
    const ended = (close: boolean, wasClean: boolean): SocketEnd | undefined => {
      const { socket, handle, ends } = open();
      if (close) handle.close();
      socket.onclose({ code: 1001, reason: '', wasClean });
      return ends[0];
    };
    const end = { code: 1001, reason: '', errorCode: undefined };
    expect([ended(false, true), ended(true, true), ended(false, false)]).toStrictEqual([
      ...[{ ...end, byPeer: true }, end, end],
    ]);
  });

  it('cuts the connection of a class that can, where it has to end at once', () => {
    let cut = 0;
    class Cutting extends PageSocket {
      readonly terminate = (): unknown => (cut += 1);
    }
    vi.stubGlobal('WebSocket', Cutting);
    const { handle, socket } = open();
    handle.close();
    expect([cut, socket.closed]).toEqual([0, 1]);
    handle.close(true);
    expect([cut, socket.closed]).toEqual([1, 1]);
  });

  it('tells of an unusable address without quoting it', async () => {
    const { ends, handle } = open('nonsense secret');
    expect(ends).toEqual([]);
    await Promise.resolve();
    expect(ends).toEqual([{ code: 1006, reason: '', errorCode: 'ERR_INVALID_URL' }]);
    handle.send('x');
    handle.close();
  });

  it('is part of a platform without a disk', () => {
    const platform = browserPlatform();
    platform.openSocket('wss://x.example/ws', {} as SocketListener);
    expect(PageSocket.made).toHaveLength(1);
    expect(platform.files).toBeUndefined();
    expect(platform.uuid()).toMatch(/^[0-9a-f-]{36}$/u);
  });
});
