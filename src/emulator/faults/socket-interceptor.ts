import { abortConnection } from '../http/abort-connection.js';
import type { ClientSocket } from '../sockets/client-socket.js';
import type { Duplex } from 'node:stream';
import type { EmulatorClock } from '../clock.js';
import { encodeEvent } from '../sockets/encode-message.js';
import { foreignPreview } from './event-interceptor.js';
import type { InterruptionAction } from '../fault.js';
import { rawBytesOf } from './raw-bytes.js';
import type { WebSocket } from 'ws';

/** A socket that faults can be applied to. */
export interface SocketInterceptor {
  readonly client: ClientSocket;
  readonly apply: (fault: InterruptionAction) => void;
  readonly onSent: (listener: (messages: number) => void) => void;
}

/** What an interceptor works on. */
export interface SocketInterceptorOptions extends SocketParts {
  readonly client: ClientSocket;
  readonly clock: EmulatorClock;
  readonly uuid: () => string;
}

/** Passes every message on until a fault is applied. */
export const createSocketInterceptor = (options: SocketInterceptorOptions): SocketInterceptor => {
  const { client, socket, wire, connection, clock } = options;
  let state: 'open' | 'held' | 'lost' = 'open';
  let messages = 0;
  const held: (() => void)[] = [];
  const listeners: ((messages: number) => void)[] = [];

  const send: ClientSocket['send'] = (bytes) => {
    if (state === 'lost') return;
    if (state === 'held') {
      held.push(() => send(bytes));
      return;
    }
    messages += 1;
    client.send(bytes);
    for (const listener of listeners) listener(messages);
  };
  const hold = (): void => {
    state = 'held';
    socket.pause();
  };
  const release = (): void => {
    if (state !== 'held') return;
    state = 'open';
    if (socket.readyState === socket.OPEN) socket.resume();
    for (const resend of held.splice(0)) resend();
  };
  /** Writes bytes past the WebSocket; until they are out, not even a pong may come between them. */
  const writeRaw = (pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): void => {
    hold();
    void writeAll(wire, pieces).then(release);
  };

  const apply = (fault: InterruptionAction): void => {
    const rawBytes = rawBytesOf(fault);
    if (rawBytes) writeRaw(rawBytes);
    switch (fault.do) {
      case 'cut':
        state = 'lost';
        // Messages sent before still leave in this turn.
        setImmediate(() => abortConnection(connection, fault.how ?? 'rst'));
        return;
      case 'close':
        state = 'lost';
        socket.close(fault.code, fault.reason ?? '');
        return;
      case 'mute':
        state = 'lost';
        return;
      case 'blackhole':
        state = 'lost';
        socket.pause();
        return;
      case 'stall':
        hold();
        if (fault.ms !== undefined) clock.after(fault.ms, release);
        return;
      case 'flood':
        flood(fault, { ...options, client: { ...client, send } });
    }
  };

  return { client: { ...client, send }, apply, onSent: (listener) => listeners.push(listener) };
};

/** The layers of one open socket. */
export interface SocketParts {
  readonly socket: WebSocket;
  /** The stream that the socket writes to. */
  readonly wire: Duplex;
  /** The TCP connection. */
  readonly connection: Duplex;
}

/** What {@link flood} works on. */
export interface FloodOptions {
  readonly client: ClientSocket;
  readonly clock: EmulatorClock;
  readonly uuid: () => string;
  readonly socket: Pick<WebSocket, 'readyState' | 'OPEN'>;
}

/** Sends the start of foreign jobs and then their previews for as long as the socket is open. */
export const flood = (
  { jobs = 1, hz = 10, previewBytes = 200_000 }: Extract<InterruptionAction, { readonly do: 'flood' }>,
  { client, clock, uuid, socket }: FloodOptions,
): void => {
  const picture = foreignPreview(previewBytes);
  let cancel = (): void => undefined;
  client.onClose(() => cancel());
  for (let job = 0; job < jobs; job += 1)
    client.send(encodeEvent('execution_start', { prompt_id: uuid(), timestamp: 0 }));
  const next = (): void => {
    // A socket that closed before the flood emits no further close event.
    if (socket.readyState !== socket.OPEN) return;
    cancel = clock.after(1000 / hz, () => {
      for (let job = 0; job < jobs; job += 1) client.send(picture);
      next();
    });
  };
  next();
};

/** Writes bytes with backpressure; resolves when all are written or the stream has ended. */
const writeAll = async (
  stream: Duplex,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> => {
  for await (const piece of pieces) {
    if (stream.destroyed || stream.writableEnded) return;
    if (!stream.write(piece)) await drainOrClose(stream);
  }
};

const drainOrClose = (stream: Duplex): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
