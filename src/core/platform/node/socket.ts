import type { Socket } from 'node:net';
import { type ClientOptions, WebSocket } from 'ws';
import { networkError } from '../../errors/service-error.js';
import { agentFor, type AgentOption } from './agents.js';
import { type Platform, type SocketEnd, TransportError } from '../platform.js';
import { certificateRefusal, type CertificateRefusal } from './transport-failure.js';

/** Limits and way of {@link openNodeSocket}. */
export interface NodeSocketOptions {
  /** Opens the connection; default a direct one. */
  readonly agent?: AgentOption | undefined;
  /** Largest message in bytes, where the client sets none; default 16 MiB. */
  readonly maxPayload?: number;
  /** How long the handshake may take; default 10 000. */
  readonly handshakeTimeoutMs?: number;
}

/**
 * Opens a WebSocket by `ws`: no compression, no redirects, messages as `ArrayBuffer` without a copy.
 *
 * Every failure, also an unusable address, calls `closed`, once; no error escapes, and none holds the address, which contains the
 * key.
 */
export const openNodeSocket =
  ({
    agent,
    maxPayload = 16 * 1024 * 1024,
    handshakeTimeoutMs = 10_000,
  }: NodeSocketOptions = {}): Platform['openSocket'] =>
  (url, listener, { headers, maxMessageBytes = maxPayload } = {}) => {
    let over = false;
    let isClosing = false;
    let refusal: Partial<SocketEnd> = {};
    const end = (code: number, reason: string): void => {
      if (over) return;
      over = true;
      listener.closed({ code, reason, ...refusal });
    };

    const socket = open(url, agent, {
      perMessageDeflate: false,
      followRedirects: false,
      headers,
      handshakeTimeout: handshakeTimeoutMs,
      maxPayload: maxMessageBytes,
    });
    if (!(socket instanceof WebSocket)) {
      refusal = { errorCode: socket };
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
      const { location } = response.headers;
      refusal = { status: response.statusCode ?? 0, ...(location !== undefined && { location }) };
      response.resume();
      request.destroy();
      end(1006, '');
    });
    socket.on('error', (error) => {
      const errorCode = codeOf(error);
      if (errorCode === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' && !over) listener.tooLarge?.();
      refusal = { errorCode, final: finalOf(error, errorCode), ...refusal };
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

/** Opens a socket, or gives the code of what is wrong with its address or agent. */
const open = (url: string, agent: AgentOption | undefined, options: ClientOptions): WebSocket | string => {
  try {
    return new WebSocket(url, { ...options, agent: agentFor(agent, new URL(url)) });
  } catch (cause) {
    return cause instanceof Error && 'code' in cause ? String(cause.code) : 'ERR_INVALID_URL';
  }
};

/** `ws` names its own errors by message only, and those may quote the address. */
const codeOf = (error: Error): string => {
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.message === 'Opening handshake has timed out' ? 'ETIMEDOUT' : 'EWEBSOCKET';
};

/** Another attempt would meet the same certificate, or the same refusal of a proxy. */
const finalOf = (error: Error, code: string): SocketEnd['final'] => {
  const refusal = error instanceof TransportError ? refusalOf(error) : certificateRefusal(code);
  return refusal && networkError({ endpoint: 'GET /ws', code, sent: false, ...refusal });
};

const refusalOf = ({ message, hint }: TransportError): CertificateRefusal | undefined =>
  hint === undefined ? undefined : { message, hint };

/** A failed write also ends the socket, so `closed` follows. */
const ignore = (): void => undefined;
