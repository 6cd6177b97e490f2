import type { SocketEnd, SocketHandle, SocketListener } from '../../src/core/platform/platform.js';
import type { Ledger } from './ledger.js';
import type { Network } from './network.js';
import type { SimClock } from './sim-clock.js';

/** What becomes of a handshake: it opens, or ends in one of these ways. */
export interface HandshakeFate {
  readonly how: 'refused' | 'stalls' | 'opens and dies' | 'opens and is refused' | number;
  readonly hit: () => void;
  /** The client sees no status, although its platform could show one. */
  readonly hidden?: boolean;
  /** What a socket that is open is closed with. */
  readonly code?: number;
}

/** One socket, seen from the service. */
export interface SimSocket {
  readonly key: string | null;
  readonly clientId: string | null;
  state: 'opening' | 'open' | 'over';
  /** False on a line that is cut without a word: nothing arrives any more, no pong either. */
  carries: boolean;
  /** True on a line whose service says nothing more, though it answers pings. */
  silent: boolean;
  /** Counts sockets of this client from 1. */
  readonly number: number;
  openedAt: number;
  /** Sends to this socket alone. */
  readonly send: SimSockets['send'];
}

/** A service that tells its sockets apart, as a local server does by their client ids. */
export interface SocketHub {
  readonly opened: (socket: SimSocket) => void;
  readonly received: (socket: SimSocket, text: string) => void;
  /** Called when the service notices that a socket that was open is over. */
  readonly over: (socket: SimSocket) => void;
}

/** The sockets of one client. */
export interface SimSockets {
  readonly open: (url: string, listener: SocketListener) => SocketHandle;
  /** Sends to the open socket, after the way and in order; returns whether a client may receive it. */
  readonly send: (message: string | Uint8Array, options?: SendOptions) => boolean;
  /** Ends every open socket from outside. */
  readonly end: (end?: Partial<SocketEnd>) => boolean;
  readonly live: () => SimSocket | undefined;
  /** What the next handshakes meet, in turn. */
  readonly fates: HandshakeFate[];
  /** Sockets that the client has not closed and that have not ended. */
  readonly held: () => number;
  readonly opened: () => number;
  /** Lets go of sockets that are over. */
  readonly forget: () => void;
}

/** Options of `send`. */
export interface SendOptions {
  readonly delayMs?: number;
  /** Called when the message has reached the client. */
  readonly heard?: () => void;
}

/** What the sockets need to know. */
export interface SocketsOptions {
  readonly clock: SimClock;
  readonly network: Network;
  readonly ledger: Ledger;
  /** Whether a key is good. */
  readonly knows: (key: string | null) => boolean;
  readonly platform: 'node' | 'page';
  readonly welcome: () => readonly string[];
  /** Greets the sockets instead of `welcome`, and learns how they end. */
  readonly hub?: SocketHub | undefined;
}

/** A service whose peer has gone without a word notices it after so long. */
const unnoticedMs = 120_000;

/** Makes the service's side of all sockets of one client. */
export const simSockets = (options: SocketsOptions): SimSockets => {
  const { clock, network, ledger, knows, platform, welcome, hub } = options;
  const fates: HandshakeFate[] = [];
  const all: (SimSocket & { readonly end: (end: SocketEnd) => void })[] = [];
  let held = 0;
  let count = 0;
  const live = (): (typeof all)[number] | undefined => all.findLast(({ state }) => state === 'open');

  const open: SimSockets['open'] = (url, listener) => {
    const { searchParams } = new URL(url);
    const key = searchParams.get('token');
    const logged = { at: clock.now(), key, how: 'pending' };
    ledger.handshakes.push(logged);
    held += 1;
    let lastAt = 0;
    let closedByClient = false;
    let isEnded = false;
    const release = (): void => {
      if (socket.state !== 'over' && !closedByClient) held -= 1;
    };
    const endWith = (end: SocketEnd): void => {
      if (isEnded) return;
      isEnded = true;
      listener.closed(end);
    };
    const end = (reason: SocketEnd): void => {
      release();
      const isLost = reason.status !== undefined || reason.errorCode !== undefined;
      // A page knows no more than whether there was a close frame.
      const isEndedByPeer =
        socket.state === 'open' &&
        !closedByClient &&
        !isLost &&
        (platform === 'node' || reason.code !== 1006);
      if (socket.state === 'open' && !closedByClient) {
        ledger.drops.push(clock.now());
        hub?.over(socket);
      }
      socket.state = 'over';
      endWith({
        ...(platform === 'page' && !closedByClient
          ? { code: isLost ? 1006 : reason.code, reason: '' }
          : reason),
        ...(isEndedByPeer ? { byPeer: true } : {}),
      });
    };
    const socket: (typeof all)[number] = {
      key,
      clientId: searchParams.get('clientId'),
      number: (count += 1),
      state: 'opening',
      carries: true,
      silent: false,
      openedAt: 0,
      end,
      send: (message, { delayMs = 0, heard } = {}) => {
        if (socket.silent || !socket.carries || network.isDown()) return false;
        lastAt = Math.max(lastAt, clock.now() + network.wayMs() + delayMs);
        clock.deliver(lastAt - clock.now(), () => {
          if (socket.state !== 'open' || closedByClient || !socket.carries) return;
          heard?.();
          listener.message(typeof message === 'string' ? message : bufferOf(message));
        });
        return true;
      },
    };
    all.push(socket);

    clock.deliver(2 * network.wayMs(), () => {
      if (closedByClient || socket.state === 'over') return;
      const fate = fates.shift();
      fate?.hit();
      const how = fate?.how ?? (network.isDown() ? 'refused' : knows(key) ? 'opens' : 401);
      logged.how = String(how);
      if (how === 'stalls') return;
      if (how === 'refused') {
        end({ code: 1006, reason: '', errorCode: 'ECONNREFUSED' });
        return;
      }
      if (typeof how === 'number') {
        end({ code: 1006, reason: '', ...(fate?.hidden === true ? {} : { status: how }) });
        return;
      }
      socket.state = 'open';
      socket.openedAt = clock.now();
      listener.opened();
      if (hub === undefined) for (const message of welcome()) socket.send(message);
      else hub.opened(socket);
      if (how === 'opens and is refused')
        clock.deliver(50, () => end({ code: fate?.code ?? 1008, reason: 'no' }));
      if (how === 'opens and dies') clock.deliver(50, () => end({ code: 1006, reason: '' }));
    });

    return {
      send: (text) => {
        if (hub === undefined) return;
        clock.at(network.wayMs(), () => {
          if (socket.state === 'open' && socket.carries && !network.isDown()) hub.received(socket, text);
        });
      },
      ...(platform === 'page'
        ? {}
        : {
            ping: () =>
              clock.at(network.wayMs(), () => {
                if (socket.state !== 'open' || !socket.carries || network.isDown()) return;
                clock.deliver(network.wayMs(), () => {
                  if (socket.state === 'open' && !closedByClient && socket.carries) listener.alive();
                });
              }),
          }),
      close: (immediately) => {
        if (closedByClient || socket.state === 'over') return;
        release();
        if (hub !== undefined && socket.state === 'open')
          clock.at(socket.carries ? network.wayMs() : unnoticedMs, () => hub.over(socket));
        closedByClient = true;
        socket.state = 'over';
        if (immediately === true) endWith({ code: 1006, reason: '' });
        else clock.deliver(network.wayMs(), () => endWith({ code: 1000, reason: '' }));
      },
    };
  };

  return {
    open,
    fates,
    opened: () => count,
    forget: () => {
      const kept = all.filter(({ state }) => state !== 'over');
      all.splice(0, all.length, ...kept);
    },
    live,
    held: () => held,
    send: (message, sendOptions) => live()?.send(message, sendOptions) ?? false,
    end: (reason = {}) => {
      const ending = all.filter(({ state }) => state !== 'over');
      for (const socket of ending)
        clock.deliver(0, () => socket.state !== 'over' && socket.end({ code: 1006, reason: '', ...reason }));
      return ending.length > 0;
    },
  };
};

const bufferOf = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer;
