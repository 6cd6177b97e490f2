import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { EmulatorClock } from '../clock.js';
import { breakOff } from '../http/break-off.js';
import type { Outlet } from '../sockets/outlet.js';
import type { SocketFault, SocketProgress } from './fault.js';
import { pacedStream } from './paced-stream.js';

/** A fault that happens to a socket which is open, or to its handshake where no progress is given. */
type Interruption = Extract<SocketFault, { readonly after?: SocketProgress }>;

/** What is to go wrong with one socket. */
export interface SocketPlan {
  /** Instead of an open socket: a refusal, or what happens to the connection. */
  readonly handshake: Extract<SocketFault, { do: 'refuse' | 'redirect' | 'cut' | 'stall' }> | undefined;
  /** What the handshake is done on. */
  readonly stream: (connection: Duplex) => Duplex;
  /** What the service sends to instead of the true outlet. */
  readonly outlet: (outlet: Outlet, socket: WebSocket, connection: Duplex) => Outlet;
}

/** Plans one socket. */
export const planSocket = (faults: readonly SocketFault[], clock: EmulatorClock): SocketPlan => {
  const interruptions = faults.filter(isInterruption);
  const isAtHandshake = (fault: SocketFault): fault is NonNullable<SocketPlan['handshake']> =>
    fault.do === 'refuse' ||
    fault.do === 'redirect' ||
    ((fault.do === 'cut' || fault.do === 'stall') && fault.after === undefined);
  const open = interruptions.filter((fault): boolean => !isAtHandshake(fault));
  const byBytes = open.find(({ after }) => after?.bytes !== undefined);
  const bytesPerSecond = faults.find((fault) => fault.do === 'drip')?.bytesPerSecond;
  const sizes = faults.find((fault) => fault.do === 'slice')?.sizes;
  let byteAct: (goOn: () => void) => void = () => undefined;

  return {
    handshake: faults.find(isAtHandshake),
    stream: (connection) => {
      if (!byBytes && bytesPerSecond === undefined && sizes === undefined) return connection;
      const stop = byBytes && {
        afterBytes: byBytes.after?.bytes ?? 0,
        act: (goOn: () => void) => byteAct(goOn),
      };
      return pacedStream(connection, { bytesPerSecond, sizes, stop }, clock);
    },
    outlet: (outlet, socket, connection) => {
      if (open.length === 0) return outlet;
      const gate = gated(outlet, socket, connection, clock);
      if (byBytes) {
        byteAct = (goOn) => {
          gate.strike(byBytes);
          if (byBytes.do === 'mute' || byBytes.do === 'close') goOn();
          if (byBytes.do === 'stall' && byBytes.ms !== undefined) clock.after(byBytes.ms, goOn);
        };
      }
      for (const fault of open) watch(fault, gate, outlet, clock);
      return gate.outlet;
    },
  };
};

const isInterruption = (fault: SocketFault): fault is Interruption =>
  ['cut', 'stall', 'blackhole', 'mute', 'close'].includes(fault.do);

/** An outlet that a fault can take hold of. */
interface Gate {
  readonly outlet: Outlet;
  readonly strike: (fault: Interruption) => void;
  readonly onSent: (listener: (messages: number) => void) => void;
}

const gated = (outlet: Outlet, socket: WebSocket, connection: Duplex, clock: EmulatorClock): Gate => {
  let state: 'open' | 'held' | 'lost' = 'open';
  let messages = 0;
  const held: (() => void)[] = [];
  const listeners: ((messages: number) => void)[] = [];

  const send: Outlet['send'] = (wire) => {
    if (state === 'lost') return;
    if (state === 'held') {
      held.push(() => send(wire));
      return;
    }
    messages += 1;
    outlet.send(wire);
    for (const listener of listeners) listener(messages);
  };

  const strike = (fault: Interruption): void => {
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
        state = 'held';
        socket.pause();
        if (fault.ms !== undefined) clock.after(fault.ms, release);
    }
  };

  const release = (): void => {
    state = 'open';
    if (socket.readyState === socket.OPEN) socket.resume();
    for (const resend of held.splice(0)) resend();
  };

  return { outlet: { ...outlet, send }, strike, onSent: (listener) => listeners.push(listener) };
};

/** Waits for the progress at which the fault strikes, once. */
const watch = (fault: Interruption, gate: Gate, outlet: Outlet, clock: EmulatorClock): void => {
  const { messages, ms, bytes } = fault.after ?? {};
  let isDone = false;
  const strike = (): void => {
    if (!isDone) gate.strike(fault);
    isDone = true;
  };
  if (messages !== undefined && messages > 0) {
    gate.onSent((count) => {
      if (count >= messages) strike();
    });
  }
  if (ms !== undefined) outlet.onClose(clock.after(ms, strike));
  if (messages === 0 || (messages === undefined && ms === undefined && bytes === undefined)) strike();
};
