import type { Socket } from 'node:net';
import { type ClientOptions, WebSocket } from 'ws';
import { networkError } from '../../errors/service-error.js';
import type { Platform, SocketEnd } from '../platform.js';
import { certificateRefusal } from './transport-failure.js';
import { framedReads, type FramedReadsOptions } from './framed-reads.js';

/** Limits of {@link openNodeSocket}. */
export interface NodeSocketOptions {
  /** Largest message in bytes; default 16 MiB. */
  readonly maxPayload?: number;
  /** How long the handshake may take; default 10 000. */
  readonly handshakeTimeoutMs?: number;
  /** Whether messages are taken where the socket reads them, which the runtime has to support; default true. */
  readonly readsFrames?: boolean;
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
    readsFrames = true,
  }: NodeSocketOptions = {}): Platform['openSocket'] =>
  (url, listener) => {
    let over = false;
    let isClosing = false;
    let refusal: Partial<SocketEnd> = {};
    const end = (code: number, reason: string): void => {
      if (over) return;
      over = true;
      listener.closed({ code, reason, ...refusal });
    };

    const deliver = (data: string | ArrayBuffer): void => {
      if (!over) listener.message(data);
    };
    const settings = { ...plain, handshakeTimeout: handshakeTimeoutMs, maxPayload };
    const wants = (start: Uint8Array): boolean => !over && (listener.wants?.(start) ?? true);
    const reading = readsFrames ? readingFrames({ maxPayload, message: deliver, wants }) : {};
    const socket = open(url, { ...settings, ...reading });
    if (socket === undefined) {
      refusal = { errorCode: 'ERR_INVALID_URL' };
      queueMicrotask(() => end(1006, ''));
      return { send: () => undefined, close: () => undefined };
    }
    // Text still comes as a Buffer.
    socket.binaryType = 'arraybuffer';
    let connection: Socket | undefined;
    socket.on('upgrade', (response) => {
      connection = response.socket;
    });
    socket.on('open', () => listener.opened());
    socket.on('message', (data, isBinary) => {
      deliver(isBinary ? (data as ArrayBuffer) : (data as Buffer).toString());
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

const plain: ClientOptions = { perMessageDeflate: false, followRedirects: false };

const readingFrames = (options: FramedReadsOptions): ClientOptions => {
  const { onread, begin } = framedReads(options);
  return {
    // Messages that `ws` never sees must not come before any that it holds back.
    allowSynchronousEvents: true,
    // It goes on to where the connection is made, as all options do.
    ...{ onread },
    finishRequest: (request) => {
      request.once('upgrade', (_response, _socket, head) => begin(head));
      request.end();
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
