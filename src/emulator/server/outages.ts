import type { AddressInfo, Socket } from 'node:net';
import type { EmulatorClock } from '../clock.js';
import type { EngineFault } from '../fault.js';
import type { EngineMemory } from '../engine-outage.js';
import type { HeldClock } from './held-clock.js';
import type { Server } from 'node:http';

/** The outages of a local server: its process ends or stands still, and perhaps comes back. */
export interface Outages {
  /** Begins the outage of a fault, unless the server is away already. */
  readonly strike: (fault: EngineFault) => void;
  /** No outage ends any more. */
  readonly close: () => void;
}

/** What {@link createOutages} works on. */
export interface OutagesOptions {
  readonly api: Server;
  /** The time that goes on during an outage. */
  readonly clock: EmulatorClock;
  /** The time of the process. */
  readonly held: HeldClock;
  /** Ends the service at once, and says what begins it anew. */
  readonly crash: (keeps: EngineMemory) => () => void;
}

/** No outage yet. */
export const createOutages = ({ api, clock, held, crash }: OutagesOptions): Outages => {
  const connections = new Set<Socket>();
  let mode: 'up' | 'down' | 'frozen' = 'up';
  let cancel = (): void => undefined;
  api.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    // After the HTTP server has begun to read, which it does in the next tick.
    process.nextTick(() => {
      if (mode === 'frozen') standStill(socket);
    });
  });

  /** Ends it; returns what starts it again. */
  const kill = (keeps: EngineMemory): (() => void) => {
    const { port } = api.address() as AddressInfo;
    mode = 'down';
    held.drop();
    const begin = crash(keeps);
    for (const socket of connections) socket.destroy();
    api.close();
    const listen = (): void => {
      // Another process may have taken the port: it is free again in a while.
      const again = (): void => {
        cancel = clock.after(retryMs, listen);
      };
      api.once('error', again);
      api.listen(port, '127.0.0.1', () => api.off('error', again));
    };
    return () => {
      mode = 'up';
      begin();
      listen();
    };
  };

  /** Stops it; returns what lets it go on. */
  const freeze = (): (() => void) => {
    mode = 'frozen';
    held.hold();
    for (const socket of connections) standStill(socket);
    return () => {
      mode = 'up';
      for (const socket of connections) socket.resume();
      held.release();
    };
  };

  return {
    strike: (fault) => {
      if (mode === 'down' || (mode === 'frozen' && fault.do === 'freeze')) return;
      cancel();
      const end = fault.do === 'kill' ? kill(fault.keeps ?? 'files') : freeze();
      if (fault.forMs !== undefined) cancel = clock.after(fault.forMs, end);
    },
    close: () => cancel(),
  };
};

const retryMs = 100;

/** Nothing is read of it, and it has no time limit: what comes waits for the process. */
const standStill = (socket: Socket): void => {
  socket.setTimeout(0);
  socket.pause();
};
