import { abortConnection } from '../http/exchange.js';
import type { ClientSocket } from '../sockets/client-socket.js';
import type { Duplex } from 'node:stream';
import type { EmulatorClock } from '../clock.js';
import { encodeEvent } from '../sockets/encode-message.js';
import { foreignPreview } from './event-interceptor.js';
import type { InterruptionAction } from './fault.js';
import { rawBytesOf } from './raw-bytes.js';
import type { WebSocket } from 'ws';

/** An outlet that a fault can take hold of. */
export interface SocketInterceptor {
  readonly client: ClientSocket;
  readonly apply: (fault: InterruptionAction) => void;
  readonly onSent: (listener: (messages: number) => void) => void;
}

/** What a gate stands between. */
export interface SocketInterceptorOptions extends SocketParts {
  readonly client: ClientSocket;
  readonly clock: EmulatorClock;
  readonly uuid: () => string;
}

/** A gate that lets everything through until something strikes. */
export const createSocketInterceptor = (options: SocketInterceptorOptions): SocketInterceptor => {
  const { client: client, socket, wire, connection, clock } = options;
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
  /** Bytes beneath the socket; until they are out not even a pong may come between them. */
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
        // What was sent before gets its turn to leave.
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

  return { client: { ...client, send }, apply: apply, onSent: (listener) => listeners.push(listener) };
};

/** One open socket, from top to bottom. */
export interface SocketParts {
  readonly socket: WebSocket;
  /** What the socket writes to: the plan's stream. */
  readonly wire: Duplex;
  /** What carries it. */
  readonly connection: Duplex;
}

/** Where a flood goes, and how it keeps time. */
export interface FloodOptions {
  readonly client: ClientSocket;
  readonly clock: EmulatorClock;
  readonly uuid: () => string;
  readonly socket: Pick<WebSocket, 'readyState' | 'OPEN'>;
}

/** Tells a socket of jobs of a neighbour that send pictures for as long as it is open. */
export const flood = (
  { jobs = 1, hz = 10, previewBytes = 200_000 }: Extract<InterruptionAction, { readonly do: 'flood' }>,
  { client: client, clock, uuid, socket }: FloodOptions,
): void => {
  const picture = foreignPreview(previewBytes);
  let cancel = (): void => undefined;
  client.onClose(() => cancel());
  for (let job = 0; job < jobs; job += 1)
    client.send(encodeEvent('execution_start', { prompt_id: uuid(), timestamp: 0 }));
  const next = (): void => {
    // It may be over before the flood begins, and tells of its end only once.
    if (socket.readyState !== socket.OPEN) return;
    cancel = clock.after(1000 / hz, () => {
      for (let job = 0; job < jobs; job += 1) client.send(picture);
      next();
    });
  };
  next();
};

/** Writes bytes as fast as they are taken; resolves when all are written, or the stream is over. */
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
