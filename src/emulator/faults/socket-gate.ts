import type { EmulatorClock } from '../clock.js';
import { breakOff } from '../http/break-off.js';
import type { Outlet } from '../sockets/outlet.js';
import { bytesBeneath } from './bytes-beneath.js';
import { flood } from './flood.js';
import { pour } from './pour.js';
import type { InterruptionDeed } from './socket-fault.js';
import type { SocketParts } from './socket-parts.js';

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
