import type { Clock, Platform, SocketEnd, SocketListener } from '../../core/platform/platform.js';
import type { Faults } from './faults.js';

/** The faults, the delay and the first messages of scripted sockets. */
export interface ScriptedSocketsOptions {
  readonly clock: Clock;
  readonly faults: () => Faults;
  /** How long one way takes. */
  readonly latencyMs: number;
  /** The key that a handshake needs; undefined if it needs none. */
  readonly apiKey: string | undefined;
  /** The messages that greet a socket. */
  readonly greeting: (clientId: string) => readonly string[];
}

/** The service's side of its sockets. */
export interface ScriptedSockets {
  readonly open: Platform['openSocket'];
  /** Sends to all open sockets, or to those of a client id. */
  readonly send: (message: string | Uint8Array, clientId?: string) => void;
  /** Ends the open sockets. */
  readonly drop: (code?: number, reason?: string) => void;
  readonly openCount: () => number;
}

/** Makes sockets in memory, which keep the order of their messages. */
export const scriptedSockets = ({
  clock,
  faults,
  latencyMs,
  apiKey,
  greeting,
}: ScriptedSocketsOptions): ScriptedSockets => {
  const sockets = new Set<OpenSocket>();

  const open: Platform['openSocket'] = (url, listener) => {
    const query = new URL(url).searchParams;
    const clientId = query.get('clientId') ?? '';
    let state: 'opening' | 'open' | 'over' = 'opening';
    const end = (reason: SocketEnd): void => {
      if (state === 'over') return;
      state = 'over';
      sockets.delete(socket);
      listener.closed(reason);
    };
    const socket: OpenSocket = {
      clientId,
      end,
      send: (message) =>
        void clock.after(latencyMs, () => {
          if (state === 'open' && !faults().losesMessages()) deliver(listener, message);
        }),
    };
    clock.after(2 * latencyMs, () => {
      if (state !== 'opening') return;
      const refusal =
        faults().refusal() ?? (apiKey === (query.get('token') ?? undefined) ? undefined : { status: 401 });
      if (refusal !== undefined) {
        const { status } = refusal;
        end({ ...noHandshake, ...(status === undefined ? { errorCode: 'ECONNREFUSED' } : { status }) });
        return;
      }
      state = 'open';
      sockets.add(socket);
      listener.opened();
      for (const message of greeting(clientId)) socket.send(message);
    });
    return {
      send: (text) =>
        void clock.after(latencyMs, () => {
          // The service answers the client's announcement with its own.
          if (state === 'open' && text.includes('"feature_flags"')) socket.send(featureFlags);
        }),
      ping: () =>
        void clock.after(2 * latencyMs, () => {
          if (state === 'open' && !faults().isSilent()) listener.alive();
        }),
      close: (immediately) => {
        if (state === 'over') return;
        if (immediately === true || state === 'opening') clock.after(0, () => end(noHandshake));
        else clock.after(latencyMs, () => end({ code: 1000, reason: '' }));
        sockets.delete(socket);
      },
    };
  };

  return {
    open,
    send: (message, clientId) => {
      for (const socket of sockets) {
        if (clientId === undefined || socket.clientId === clientId) socket.send(message);
      }
    },
    drop: (code = 1006, reason = '') => {
      for (const socket of [...sockets]) socket.end({ code, reason, byPeer: true });
    },
    openCount: () => sockets.size,
  };
};

interface OpenSocket {
  readonly clientId: string;
  readonly send: (message: string | Uint8Array) => void;
  readonly end: (reason: SocketEnd) => void;
}

const noHandshake: SocketEnd = { code: 1006, reason: '' };

const featureFlags = /* @__PURE__ */ JSON.stringify({
  type: 'feature_flags',
  data: { supports_preview_metadata: true, supports_progress_text_metadata: true },
});

/** Each message is a buffer of the client's own. */
const deliver = (listener: SocketListener, message: string | Uint8Array): void =>
  listener.message(typeof message === 'string' ? message : new Uint8Array(message).buffer);
