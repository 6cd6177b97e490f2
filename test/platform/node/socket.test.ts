import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { inspect } from 'node:util';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { type NodeSocketOptions, openNodeSocket } from '../../../src/core/platform/node/socket.js';
import type { SocketEnd, SocketHandle } from '../../../src/core/platform/platform.js';
import { httpServer } from '../../helpers/http-server.js';
import { tlsServer } from '../../helpers/tls-server.js';

interface Peer extends AsyncDisposable {
  readonly url: string;
  readonly accepted: Promise<WebSocket>;
  readonly server: WebSocketServer;
}

const peer = async (): Promise<Peer> => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    server,
    url: `ws://127.0.0.1:${port}/ws?clientId=c&token=secret`,
    accepted: once(server, 'connection').then(([socket]) => socket as WebSocket),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const client of server.clients) client.terminate();
        server.close(() => resolve());
      }),
  };
};

/** Opens a socket and keeps what it tells. */
const listen = (url: string, options: NodeSocketOptions = {}) => {
  const told: string[] = [];
  const messages: (string | ArrayBuffer)[] = [];
  const ends: SocketEnd[] = [];
  let opened = (): void => undefined;
  let heard = (): void => undefined;
  let over = (): void => undefined;
  const [isOpen, hasHeard, isOver] = [
    new Promise<void>((resolve) => (opened = resolve)),
    new Promise<void>((resolve) => (heard = resolve)),
    new Promise<void>((resolve) => (over = resolve)),
  ];
  const socket: SocketHandle = openNodeSocket(options)(url, {
    opened: () => {
      told.push('opened');
      opened();
    },
    message: (data) => {
      messages.push(data);
      heard();
    },
    alive: () => {
      told.push('alive');
      heard();
    },
    tooLarge: () => told.push('too large'),
    closed: (end) => {
      told.push('closed');
      ends.push(end);
      over();
    },
  });
  return { socket, told, messages, ends, isOpen, hasHeard, isOver };
};

describe('openNodeSocket', () => {
  it('D9, D16: carries text as text and binary as an ArrayBuffer, without compression', async () => {
    await using server = await peer();
    const client = listen(server.url);
    const remote = await server.accepted;
    await client.isOpen;
    expect(remote.extensions).toBe('');
    remote.send('text ✗');
    remote.send(new Uint8Array([0, 1, 2]));
    remote.close(4001, 'bye');
    await client.isOver;
    expect(client.messages).toEqual(['text ✗', new Uint8Array([0, 1, 2]).buffer]);
    expect(client.messages[1]).toBeInstanceOf(ArrayBuffer);
    expect(client.ends).toEqual([{ code: 4001, reason: 'bye', byPeer: true }]);
    expect(client.told).toEqual(['opened', 'closed']);
  });

  it.each([
    ['C21: says so where the peer dropped it', (remote: WebSocket) => remote.terminate(), true],
    [
      'C21: does not say so where this side did',
      (_: WebSocket, own: SocketHandle) => own.close(true),
      undefined,
    ],
  ])('%s', async (_, end, byPeer) => {
    await using server = await peer();
    const client = listen(server.url);
    const remote = await server.accepted;
    await client.isOpen;
    end(remote, client.socket);
    await client.isOver;
    expect(client.ends[0]?.byPeer).toBe(byPeer);
  });

  it('D16: gives out large messages, whole or sent in parts, in their order', async () => {
    await using server = await peer();
    const client = listen(server.url);
    const early = [30_000, 200_000, 5].map((bytes) => randomBytes(bytes));
    const later = [1_000_000, 70_000, 3, 20_000, 400_000].map((bytes) => randomBytes(bytes));
    const inTwo = randomBytes(123_456);
    server.server.on('connection', (remote) => {
      // These may come together with the answer to the handshake.
      for (const bytes of early) remote.send(bytes);
      remote.once('message', () => {
        for (const bytes of later) remote.send(bytes);
        remote.send(inTwo.subarray(0, 90_000), { fin: false });
        remote.send(inTwo.subarray(90_000));
        remote.send(inTwo.toString('hex'));
        remote.close();
      });
    });
    await client.isOpen;
    client.socket.send('go on');
    await client.isOver;
    expect(client.messages.pop()).toBe(inTwo.toString('hex'));
    const pictures = client.messages.map((picture) => Buffer.from(picture as ArrayBuffer));
    expect(Buffer.concat(pictures).equals(Buffer.concat([...early, ...later, inTwo]))).toBe(true);
  });

  it('sends text and pings, and takes pings and pongs for signs of life', async () => {
    await using server = await peer();
    const client = listen(server.url);
    const remote = await server.accepted;
    await client.isOpen;
    const heard = once(remote, 'message');
    client.socket.send('hello');
    expect(String((await heard)[0])).toBe('hello');
    client.socket.ping?.();
    await client.hasHeard;
    remote.ping();
    await once(remote, 'pong');
    expect(client.told).toEqual(['opened', 'alive', 'alive']);
    client.socket.close();
    await client.isOver;
  });

  it('closes in any state and tells it once', async () => {
    await using server = await peer();
    for (const immediately of [false, true]) {
      const connecting = listen(server.url);
      connecting.socket.close(immediately);
      connecting.socket.close(immediately);
      await connecting.isOver;
      expect(connecting.told).toEqual(['closed']);

      const open = listen(server.url);
      await open.isOpen;
      open.socket.close(immediately);
      open.socket.close(true);
      await open.isOver;
      open.socket.close();
      open.socket.send('nobody hears this');
      open.socket.ping?.();
      expect(open.told).toEqual(['opened', 'closed']);
    }
  });

  it('A1, A6 N3: shows the status of a refused handshake and where it leads to, and follows no redirect', async () => {
    for (const status of [401, 302, 200, 503]) {
      await using server = await httpServer(() => undefined);
      server.server.on('upgrade', (_, socket) => {
        socket.end(`HTTP/1.1 ${status} No\r\nLocation: ws://127.0.0.1:1/\r\nContent-Length: 4\r\n\r\nbody`);
      });
      const client = listen(`ws://127.0.0.1:${server.port}/ws`);
      await client.isOver;
      expect(client.ends).toEqual([{ code: 1006, reason: '', status, location: 'ws://127.0.0.1:1/' }]);
    }
  });

  it('A5: names the failure of a connection and never quotes the address', async () => {
    const urls = [
      'ws://127.0.0.1:1/ws?token=secret',
      'nonsense secret',
      'ws://127.0.0.1:1/#secret',
      'ftp://secret',
    ];
    const codes = [];
    for (const url of urls) {
      const client = listen(url);
      expect(client.told).toEqual([]);
      await client.isOver;
      codes.push(client.ends[0]?.errorCode);
      expect([client.told, client.ends[0]?.code]).toEqual([['closed'], 1006]);
      expect(inspect(client.ends)).not.toContain('secret');
      client.socket.close();
      client.socket.send('x');
    }
    expect(codes).toEqual(['ECONNREFUSED', 'ERR_INVALID_URL', 'ERR_INVALID_URL', 'ERR_INVALID_URL']);
  });

  it('A5: says that a certificate was refused, which no further attempt changes', async () => {
    await using server = await tlsServer(() => undefined);
    const client = listen(server.url.replace('https', 'wss'));
    await client.isOver;
    expect(client.ends).toMatchObject([
      {
        ...{ code: 1006, errorCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
        final: {
          _tag: 'Network',
          sent: false,
          hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string,
        },
      },
    ]);
  });

  it('A4: ends a handshake that never answers', async () => {
    await using server = await httpServer(() => undefined);
    server.server.on('upgrade', (_, socket) => {
      socket.on('error', () => undefined).on('end', () => socket.destroy());
      socket.resume();
    });
    const client = listen(`ws://127.0.0.1:${server.port}/ws`, { handshakeTimeoutMs: 20 });
    await client.isOver;
    expect(client.ends).toEqual([{ code: 1006, reason: '', errorCode: 'ETIMEDOUT' }]);
  });

  it('D8: ends on a message above its limit', async () => {
    await using server = await peer();
    const client = listen(server.url, { maxPayload: 10 });
    (await server.accepted).send('x'.repeat(11));
    await client.isOver;
    expect(client.messages).toEqual([]);
    expect(client.ends[0]).toMatchObject({ code: 1006, errorCode: 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' });
  });

  it.each([
    [10, 11, 1],
    [11, 11, 0],
    [undefined, 17 * 1024 * 1024, 1],
    [32 * 1024 * 1024, 17 * 1024 * 1024, 0],
  ])(
    'N1 says that a message was larger than the client lets it be: %s, %d bytes',
    async (most, bytes, lost) => {
      await using server = await peer();
      let [tooLarge, taken] = [0, 0];
      let settled = (): void => undefined;
      const isSettled = new Promise<void>((resolve) => (settled = resolve));
      const socket = openNodeSocket()(
        server.url,
        {
          opened: () => undefined,
          alive: () => undefined,
          message: () => {
            taken += 1;
            settled();
          },
          tooLarge: () => (tooLarge += 1),
          closed: () => settled(),
        },
        { maxMessageBytes: most },
      );
      (await server.accepted).send(Buffer.alloc(bytes));
      await isSettled;
      expect([tooLarge, taken]).toEqual([lost, 1 - lost]);
      socket.close(true);
    },
  );

  it('D16: gives each message bytes of its own, which later ones leave alone', async () => {
    await using server = await peer();
    const client = listen(server.url);
    const remote = await server.accepted;
    await client.isOpen;
    const sent = Array.from({ length: 250 }, (_, place) => new Uint8Array(1_000).fill(place));
    for (const message of sent) remote.send(message);
    remote.close();
    await client.isOver;
    // As long as what was sent, so that keeping one keeps nothing else.
    expect(client.messages).toEqual(sent.map(({ buffer }) => buffer));
    expect(new Set(client.messages).size).toBe(sent.length);
  });

  it('D10: gives up on a message in tiny fragments without end', async () => {
    await using server = await peer();
    const client = listen(server.url);
    const remote = (await server.accepted) as WebSocket & {
      readonly _socket: { write: (bytes: Buffer) => void };
    };
    await client.isOpen;
    const fragment = Buffer.from([0x00, 0x01, 0x61]);
    remote._socket.write(
      Buffer.concat([Buffer.from([0x01, 0x01, 0x61]), ...Array<Buffer>(200_000).fill(fragment)]),
    );
    await client.isOver;
    expect(client.ends).toHaveLength(1);
    expect(client.messages).toEqual([]);
  });

  it('chooses its agent by an address without the key', async () => {
    await using server = await peer();
    const seen: string[] = [];
    const client = listen(server.url, {
      agent: (url) => {
        seen.push(url.href);
        return undefined;
      },
    });
    await client.isOpen;
    client.socket.close(true);
    await client.isOver;
    expect(seen).toEqual([server.url.replace(/\?.*$/u, '')]);
  });

  it('D11: survives a handshake with an extension that nobody asked for', async () => {
    await using server = await httpServer((_, response) => void response.end());
    server.server.on('upgrade', ({ headers }, socket) => {
      const accept = createHash('sha1')
        .update(`${headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
        .digest('base64');
      socket.end(
        [
          'HTTP/1.1 101 Switching Protocols',
          'Upgrade: websocket',
          'Connection: Upgrade',
          `Sec-WebSocket-Accept: ${accept}`,
          'Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99',
          '',
          '',
        ].join('\r\n'),
      );
    });
    const client = listen(server.origin.replace('http', 'ws'));
    await client.isOver;
    expect(client.ends).toHaveLength(1);
  });

  it('D12: survives a frame that breaks the protocol', async () => {
    await using server = await peer();
    const client = listen(server.url);
    const remote = (await server.accepted) as WebSocket & {
      readonly _socket: { write: (bytes: Buffer) => void };
    };
    await client.isOpen;
    remote._socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    await client.isOver;
    expect(client.ends).toHaveLength(1);
  });
});
