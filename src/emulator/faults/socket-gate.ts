import { breakOff } from '../http/exchange.js';
import { bytesBeneath } from './bytes-beneath.js';
import type { Duplex } from 'node:stream';
import type { EmulatorClock } from '../clock.js';
import { encodeEvent } from '../sockets/encode-message.js';
import type { InterruptionDeed } from './fault.js';
import { neighbourPreview } from './event-gate.js';
import type { Outlet } from '../sockets/outlet.js';
import type { WebSocket } from 'ws';

/** An outlet that a fault can take hold of. */
export interface SocketGate {
  readonly outlet: Outlet;
  readonly strike: (fault: InterruptionDeed) => void;
  readonly onSent: (listener: (messages: number) => void) => void;
}

/** What a gate stands between. */
export interface SocketGateOptions extends SocketParts {
  readonly outlet: Outlet;
  readonly clock: EmulatorClock;
  readonly uuid: () => string;
}

/** A gate that lets everything through until something strikes. */
export const createSocketGate = (options: SocketGateOptions): SocketGate => {
  const { outlet, socket, wire, connection, clock } = options;
  let state: 'open' | 'held' | 'lost' = 'open';
  let messages = 0;
  const held: (() => void)[] = [];
  const listeners: ((messages: number) => void)[] = [];

  const send: Outlet['send'] = (bytes) => {
    if (state === 'lost') return;
    if (state === 'held') {
      held.push(() => send(bytes));
      return;
    }
    messages += 1;
    outlet.send(bytes);
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
  const pourIn = (pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): void => {
    hold();
    void pour(wire, pieces).then(release);
  };

  const strike = (fault: InterruptionDeed): void => {
    const beneath = bytesBeneath(fault);
    if (beneath) pourIn(beneath);
    switch (fault.do) {
      case 'cut':
        state = 'lost';
        // What was sent before gets its turn to leave.
        setImmediate(() => breakOff(connection, fault.how ?? 'rst'));
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
        flood(fault, { ...options, outlet: { ...outlet, send } });
    }
  };

  return { outlet: { ...outlet, send }, strike, onSent: (listener) => listeners.push(listener) };
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
  readonly outlet: Outlet;
  readonly clock: EmulatorClock;
  readonly uuid: () => string;
  readonly socket: Pick<WebSocket, 'readyState' | 'OPEN'>;
}

/** Tells a socket of jobs of a neighbour that send pictures for as long as it is open. */
export const flood = (
  { jobs = 1, hz = 10, previewBytes = 200_000 }: Extract<InterruptionDeed, { readonly do: 'flood' }>,
  { outlet, clock, uuid, socket }: FloodOptions,
): void => {
  const picture = neighbourPreview(previewBytes);
  let cancel = (): void => undefined;
  outlet.onClose(() => cancel());
  for (let job = 0; job < jobs; job += 1)
    outlet.send(encodeEvent('execution_start', { prompt_id: uuid(), timestamp: 0 }));
  const next = (): void => {
    // It may be over before the flood begins, and tells of its end only once.
    if (socket.readyState !== socket.OPEN) return;
    cancel = clock.after(1000 / hz, () => {
      for (let job = 0; job < jobs; job += 1) outlet.send(picture);
      next();
    });
  };
  next();
};

/** Writes bytes as fast as they are taken; resolves when all are written, or the stream is over. */
const pour = async (
  stream: Duplex,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> => {
  for await (const piece of pieces) {
    if (stream.destroyed || stream.writableEnded) return;
    if (!stream.write(piece)) await drained(stream);
  }
};

const drained = (stream: Duplex): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
