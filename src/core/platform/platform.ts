import type { HostClass } from './host-class.js';
import type { ServiceError } from '../errors/errors.js';

/** Cancels a timer. Calling it twice, or after the timer has fired, does nothing. */
export type CancelTimer = () => void;

/** The source of time of a client: real in a program, virtual in a test. */
export interface Clock {
  /** Returns monotonic milliseconds from any origin; the client measures every delay and deadline by it. */
  readonly now: () => number;
  /** Returns milliseconds since 1970, which the client shows or compares with dates that a server sent. */
  readonly wall: () => number;
  /**
   * Calls `work` once, `delayMs` milliseconds from now, and never before `after` has returned; returns what cancels it.
   *
   * `delayMs` is 0 or more and may exceed 2^31-1, the bound of `setTimeout`. A `background` timer does not keep the process alive;
   * a platform without such timers may ignore that. `work` does not throw.
   */
  readonly after: (
    delayMs: number,
    work: () => void,
    options?: {
      /** Whether the timer lets the process end; default false. */
      readonly background?: boolean;
    },
  ) => CancelTimer;
}

/**
 * The client's side of a socket: the platform calls `opened` at most once, then `message` and `alive` any number of times, and
 * `closed` exactly once at the end.
 *
 * It calls none of them before `openSocket` has returned, and none after `closed`. None of them throws.
 */
export interface SocketListener {
  /** The handshake is done; from now on the client may send. */
  readonly opened: () => void;
  /** A whole message arrived: a string for text, a buffer of its own for a binary one. The client keeps the buffer. */
  readonly message: (data: string | ArrayBuffer) => void;
  /** Bytes other than a message arrived, such as a pong, so the peer is alive. */
  readonly alive: () => void;
  /** A message was larger than `maxMessageBytes`, and is lost; the socket may end by it. */
  readonly tooLarge?: () => void;
  /** The socket has ended, or never opened. */
  readonly closed: (end: SocketEnd) => void;
}

/** Why a socket has ended. */
export interface SocketEnd {
  /** The close code of RFC 6455; 1006 where there was no closing handshake. */
  readonly code: number;
  /** The peer's reason; empty if it gave none. */
  readonly reason: string;
  /**
   * The HTTP status of a refused handshake, where the platform can see it. From it the client concludes whether to try again; where
   * both `status` and `errorCode` are absent, it asks over REST.
   */
  readonly status?: number;
  /** Where a handshake that was redirected should go, as the server said it; the client shows it without its query. */
  readonly location?: string | undefined;
  /** The system's code of a failed connection, such as `ECONNREFUSED`. It must not contain the URL, which holds the key. */
  readonly errorCode?: string | undefined;
  /** True if the peer ended the socket, so that it holds nothing of it any more; absent if the platform can't know. */
  readonly byPeer?: boolean | undefined;
  /**
   * Where no further attempt can succeed (a certificate that is not accepted): the error that `client.frames` ends with. Unless a
   * socket of this client was open before, the connection's state becomes `failed`.
   */
  readonly final?: ServiceError | undefined;
}

/** What a handshake carries beside its URL, and how the socket receives. */
export interface SocketOptions {
  /** Largest message in bytes; default 16 MiB. A platform that can't bound messages takes any. */
  readonly maxMessageBytes?: number | undefined;
  /** The client's own headers for the handshake, names in lower case. A platform that can't set them leaves them out. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An opening or open socket. No method throws, in any state. */
export interface SocketHandle {
  /** Sends a text message; does nothing unless the socket is open. */
  readonly send: (text: string) => void;
  /** Sends a ping; the pong calls `alive`. Absent if the platform can't ping, as in browsers. */
  readonly ping?: () => void;
  /** Sets whether the socket keeps the process alive, which it does at first; absent if the platform has no such thing. */
  readonly keepAlive?: (keeps: boolean) => void;
  /**
   * Ends the socket in any state, with a closing handshake, or without one if `immediately`. `closed` follows, also where the
   * peer never answers; a second call does nothing.
   */
  readonly close: (immediately?: boolean) => void;
}

/** A part of a multipart form: a field, or a file with its name and bytes. The blob's `type` is the file's content type. */
export type FormPart =
  | {
      /** The name of the field. */
      readonly name: string;
      /** The text of the field. */
      readonly value: string;
    }
  | {
      /** The name of the field. */
      readonly name: string;
      /** The name that the file has for the server; the platform escapes it. */
      readonly filename: string;
      /** The bytes of the file, read as they are sent. */
      readonly content: Blob;
    };

/** A request that the platform sends once: it retries nothing and follows no redirect. */
export interface HttpRequest {
  /** The client sends no other methods. */
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE';
  /** An absolute `http:` or `https:` URL without credentials. */
  readonly url: string;
  /** Names in lower case. The content type of a form is the platform's to add, as it holds the boundary. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body: JSON as text. At most one of `json` and `form` is set; without both there is no body. */
  readonly json?: string | undefined;
  /** The body: a form to send as `multipart/form-data`. */
  readonly form?: readonly FormPart[] | undefined;
  /** Whether the platform reads the body only as fast as the client does; without it the platform may gather the whole body. */
  readonly streamed?: boolean | undefined;
  /** Ends the request when it aborts, at any time: before it is sent, while it waits, and while its body is read. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Allows connections to addresses of this class only, under any name, where the platform can see addresses; it
   * rejects with the code `EADDRCLASS` otherwise, before a byte leaves. Default: addresses of any class.
   */
  readonly addressClass?: Exclude<HostClass, 'forbidden'> | undefined;
  /**
   * The platform calls it once, before the whole request may have left: with the last byte of its body where the platform can tell,
   * else with the first byte of the request.
   */
  readonly onSent?: () => void;
  /** The platform calls it each time bytes of a body have left, with their number; one that can't tell never does. */
  readonly onProgress?: (bytes: number) => void;
}

/** Status and headers of an answer, and its body. The client reads the body once, or calls `discard`. */
export interface HttpResponse {
  /** The status from 200 on; redirects come as they are. 0 for a redirect that the platform hides, as browsers do. */
  readonly status: number;
  /** Names in lower case; the values of a repeated header joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The bytes, each piece the client's own. A body that was cut short rejects with a {@link TransportFailure}. A platform that undoes
   * a `content-encoding` leaves that header and `content-length` out.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Gives up the rest of the body and its connection; does not throw, and calling it twice does nothing. */
  readonly discard: () => void;
}

/** Why a request got no answer, or its body was cut: what `Platform.request` and a body reject with. */
export interface TransportFailure {
  /** The system's code, such as `ECONNRESET`. */
  readonly code: string;
  /** The reason as part of a sentence; it must quote neither headers nor the URL. */
  readonly message: string;
  /**
   * False only where the request surely did not leave whole, so that the server can't have acted on it. The client sends a request
   * again only then, or where it may run twice; a submission with `sent: true` ends as `OutcomeUnknown`.
   */
  readonly sent: boolean;
  /** What the user has to do first, where no attempt can succeed before. */
  readonly hint?: string | undefined;
}

/** A file that is being written under a temporary name. The client ends it by `commit` or `discard`. */
export interface PartFile {
  /**
   * Appends the chunk, which the client does not change afterwards, and resolves when there is room for the next one. An error of
   * the disk may come from a later call.
   */
  readonly write: (chunk: Uint8Array) => Promise<void>;
  /** Gives the file its final name and resolves with its full path. Without `overwrite` an existing file stays: `name~2` then. */
  readonly commit: () => Promise<string>;
  /** Removes the file; resolves also where it is gone already. */
  readonly discard: () => Promise<void>;
}

/** Files on a disk. Each method may reject with the system's error, whose `code` (`ENOSPC`, `EACCES`) the client reports. */
export interface Files {
  /** Makes the folder where it is missing and resolves with its real path. */
  readonly folder: (path: string) => Promise<string>;
  /**
   * Creates `folder/name.part` exclusively, following no link. `folder` is a real path from `folder`, `name` a safe file name
   * without separators.
   */
  readonly create: (
    folder: string,
    name: string,
    options?: {
      /** Whether `commit` replaces a file that has the name already; default false. */
      readonly overwrite?: boolean;
    },
  ) => Promise<PartFile>;
  /** Resolves with the bytes that are free below this real path; absent if the platform can't know. */
  readonly freeBytes?: (folder: string) => Promise<number>;
  /** Resolves with a blob that reads the file as it is consumed. */
  readonly open: (path: string) => Promise<Blob>;
}

/**
 * Everything that a client needs from the outside: sockets, requests, time, randomness and files.
 *
 * `createClient({ platform })` takes one, in place of the runtime's own, which `defaultPlatform()` makes: spread that and replace
 * single members, or implement all of them for a test. A client calls `platform.close` when it closes, so a platform with `close`
 * belongs to one client.
 *
 * @example
 * ```ts
 * import { createClient, defaultPlatform, type Platform } from 'promptwire';
 *
 * const own = defaultPlatform();
 * const logged: Platform = {
 *   ...own,
 *   request: async (request) => {
 *     const response = await own.request(request);
 *     console.log(request.method, new URL(request.url).pathname, response.status);
 *     return response;
 *   },
 * };
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local', platform: logged });
 * ```
 */
export interface Platform {
  /** Time and timers: everything that the client waits for. */
  readonly clock: Clock;
  /** Returns a number from 0 to 1, without 1 itself; it spreads retries. */
  readonly random: () => number;
  /** Returns a fresh UUID; it names sockets and, with `dialect: 'local'`, jobs. */
  readonly uuid: () => string;
  /**
   * Opens a WebSocket and returns at once. It never throws: an invalid URL or a refused connection is a later `closed`. The
   * URL holds the key and must appear in no error or log. The platform follows no redirect.
   */
  readonly openSocket: (url: string, listener: SocketListener, options?: SocketOptions) => SocketHandle;
  /**
   * Sends a request and resolves when status and headers have arrived, also for a status that refuses it.
   *
   * It rejects with a {@link TransportFailure}, for instance a `TransportError`, and with any value where `signal` ended the
   * request. The client takes every other rejection for a request that was sent.
   */
  readonly request: (request: HttpRequest) => Promise<HttpResponse>;
  /** The disk; without it `client.download` errors with `InvalidConfig`, and so do uploads of a path. */
  readonly files?: Files | undefined;
  /** Ends the connections that requests left open; the client calls it when it closes, and waits for it. */
  readonly close?: (() => Promise<void>) | undefined;
}

/**
 * A {@link TransportFailure} as an `Error`: a platform's `request` rejects with it.
 *
 * @example
 * ```ts
 * import { TransportError, type Platform } from 'promptwire';
 *
 * const offline: Platform['request'] = () =>
 *   Promise.reject(new TransportError('ENETUNREACH', 'there is no network', false));
 * ```
 */
export class TransportError extends Error implements TransportFailure {
  /** Always `TransportError`. */
  override readonly name = 'TransportError';
  /** The system's error code, e.g. `ECONNRESET`. */
  readonly code: string;
  /** False only where the request provably did not leave whole. */
  readonly sent: boolean;
  /** What the user must do before another attempt can succeed. */
  readonly hint: string | undefined;

  constructor(code: string, message: string, sent: boolean, hint?: string) {
    super(message);
    this.code = code;
    this.sent = sent;
    this.hint = hint;
  }
}
