import type { Socket } from 'node:net';
import { type ClientOptions, WebSocket } from 'ws';
import { networkError } from '../../errors/service-error.js';
import type { Platform, SocketEnd } from '../platform.js';
import { certificateRefusal } from './transport-failure.js';

/** Limits of {@link openNodeSocket}. */
export interface NodeSocketOptions {
  /** Largest message in bytes; default 16 MiB. */
  readonly maxPayload?: number;
  /** How long the handshake may take; default 10 000. */
  readonly handshakeTimeoutMs?: number;
}

/**
 * Opens a WebSocket by `ws`: no compression, no redirects, messages as `ArrayBuffer` without a copy.
 *
 * Whatever fails, also an unusable address, is told once through `closed`; no error escapes and none holds the address,
 * which has the key in it.
 */
export const openNodeSocket =
  ({
    maxPayload = 16 * 1024 * 1024,
    handshakeTimeoutMs = 10_000,
  }: NodeSocketOptions = {}): Platform['openSocket'] =>
  (url, listener, { headers } = {}) => {
    let over = false;
    let isClosing = false;
    let refusal: Partial<SocketEnd> = {};
    const end = (code: number, reason: string): void => {
      if (over) return;
      over = true;
      listener.closed({ code, reason, ...refusal });
    };

    const socket = open(url, {
      perMessageDeflate: false,
      followRedirects: false,
      headers,
      handshakeTimeout: handshakeTimeoutMs,
      maxPayload,
    });
    if (socket === undefined) {
      refusal = { errorCode: 'ERR_INVALID_URL' };
      queueMicrotask(() => end(1006, ''));
      return { send: () => undefined, close: () => undefined };
    }
    socket.binaryType = 'arraybuffer';
    let connection: Socket | undefined;
    socket.on('upgrade', (response) => {
      connection = response.socket;
    });
    socket.on('open', () => listener.opened());
    socket.on('message', (data, isBinary) => {
      // `ws` gives text as a Buffer as well, whose UTF-8 it has checked.
      if (!over) listener.message(isBinary ? (data as ArrayBuffer) : (data as Buffer).toString());
    });
    socket.on('ping', () => listener.alive());
    socket.on('pong', () => listener.alive());
    socket.on('unexpected-response', (request, response) => {
      refusal = { status: response.statusCode ?? 0 };
      response.resume();
      request.destroy();
      end(1006, '');
    });
    socket.on('error', (error) => {
      const errorCode = codeOf(error);
      refusal = { errorCode, final: finalOf(errorCode), ...refusal };
    });
    socket.on('close', (code, reason) => {
      // What was reset or never opened leaves open what the peer knows of it.
      const byPeer = !isClosing && connection !== undefined && refusal.errorCode === undefined;
      refusal = { ...refusal, ...(byPeer && { byPeer }) };
      end(code, reason.toString('utf8'));
    });

    return {
      send: (text) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(text, ignore);
      },
      ping: () => {
        if (socket.readyState === WebSocket.OPEN) socket.ping(undefined, undefined, ignore);
      },
      keepAlive: (keeps) => {
        if (keeps) connection?.ref();
        else connection?.unref();
      },
      close: (immediately = false) => {
        isClosing = true;
        if (immediately) socket.terminate();
        else socket.close();
      },
    };
  };

const open = (url: string, options: ClientOptions): WebSocket | undefined => {
  try {
    return new WebSocket(url, options);
  } catch {
    return undefined;
  }
};

/** `ws` names its own errors by message only, and those may quote the address. */
const codeOf = (error: Error): string => {
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.message === 'Opening handshake has timed out' ? 'ETIMEDOUT' : 'EWEBSOCKET';
};

/** Another attempt would meet the same certificate. */
const finalOf = (code: string): SocketEnd['final'] => {
  const refusal = certificateRefusal(code);
  return refusal && networkError({ endpoint: 'GET /ws', code, sent: false, ...refusal });
};

/** A failed write also ends the socket, which is told then. */
const ignore = (): void => undefined;
