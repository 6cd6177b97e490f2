import type { Platform, SocketOptions } from './platform.js';

/** What the client uses of a WebSocket: browsers', undici's, Deno's and Bun's have it, so does `ws`. */
export interface WebSocketLike {
  /** The client sets `arraybuffer` before the socket opens; binary messages come as `ArrayBuffer` then. */
  binaryType: string;
  /** 1 while the socket is open. */
  readonly readyState: number;
  /** The socket is open. */
  onopen: ((event: never) => unknown) | null;
  /** The event has `data`: a string or an `ArrayBuffer`. */
  onmessage: ((event: never) => unknown) | null;
  /** The event has `code`, `reason` and `wasClean`; it comes once, also for a socket that never opened. */
  onclose: ((event: never) => unknown) | null;
  /** Comes before `onclose`, which ends the socket. */
  onerror: ((event: never) => unknown) | null;
  /** Sends a text message. */
  send(text: string): unknown;
  /** Begins the closing handshake; it aborts a socket that is still opening. */
  close(): unknown;
  /** Cuts the connection; the client calls it, where there is one, when a closing handshake would take too long. */
  terminate?(): unknown;
}

/**
 * A class of WebSockets. `options` are passed only where the client has headers of the user: `ws` sends them, others ignore
 * them.
 */
export type WebSocketConstructor = new (
  url: string,
  protocols?: undefined,
  options?: { readonly headers: Readonly<Record<string, string>> },
) => WebSocketLike;

/**
 * Opens sockets of a class with the browser's interface, which has no pings, and shows neither status nor system error of a refused
 * handshake.
 *
 * Every failure calls `closed`, once.
 */
export const openWebSocket =
  (classOf: () => WebSocketConstructor): Platform['openSocket'] =>
  (url, listener, options) => {
    let over = false;
    let isClosing = false;
    const end = (code: number, reason: string, errorCode?: string, byPeer = false): void => {
      if (over) return;
      over = true;
      listener.closed({ code, reason, errorCode, ...(byPeer && { byPeer }) });
    };

    const socket = open(classOf, url, options);
    if (socket === undefined) {
      queueMicrotask(() => end(1006, '', 'ERR_INVALID_URL'));
      return { send: () => undefined, close: () => undefined };
    }
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      if (!over) listener.opened();
    };
    socket.onmessage = ({ data }: { readonly data: string | ArrayBuffer }) => {
      if (!over) listener.message(data);
    };
    socket.onclose = ({ code, reason, wasClean }: CloseEventLike) =>
      end(code, reason, undefined, wasClean && !isClosing);
    // `ws` throws an error that has no listener; the close follows.
    socket.onerror = () => undefined;

    return {
      send: (text) => {
        if (socket.readyState === 1) socket.send(text);
      },
      close: (immediately = false) => {
        isClosing = true;
        if (immediately && socket.terminate !== undefined) socket.terminate();
        else socket.close();
        // A page can't cut a connection, and a dead peer leaves the closing handshake unanswered for a long time.
        if (immediately) queueMicrotask(() => end(1006, ''));
      },
    };
  };

interface CloseEventLike {
  readonly code: number;
  readonly reason: string;
  readonly wasClean: boolean;
}

const open = (
  classOf: () => WebSocketConstructor,
  url: string,
  { headers }: SocketOptions = {},
): WebSocketLike | undefined => {
  try {
    const Socket = classOf();
    return headers === undefined ? new Socket(url) : new Socket(url, undefined, { headers });
  } catch {
    return undefined;
  }
};
