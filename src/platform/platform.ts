import type { HostClass } from './host-class.js';
import type { ServiceError } from '../errors/errors.js';

/** Cancels what was scheduled; calling it twice, or after the fact, does nothing. */
export type CancelTimer = () => void;

/** The only source of time: real in a program, virtual in a simulation. */
export interface Clock {
  /** Monotonic milliseconds; every delay and deadline is measured by it. */
  readonly now: () => number;
  /** Milliseconds since 1970, for display and for dates that a server sent. */
  readonly wall: () => number;
  /** Calls `work` once after `delayMs`; `background` timers don't keep a process alive. Delays over 2^31-1 ms are kept. */
  readonly after: (
    delayMs: number,
    work: () => void,
    options?: { readonly background?: boolean },
  ) => CancelTimer;
}

/** What a socket tells: nothing before `openSocket` has returned, nothing after `closed`. */
export interface SocketListener {
  readonly opened: () => void;
  readonly message: (data: string | ArrayBuffer) => void;
  /** Bytes that are no message arrived (a pong): the peer lives. */
  readonly alive: () => void;
  readonly closed: (end: SocketEnd) => void;
}

/** Why a socket is over. */
export interface SocketEnd {
  readonly code: number;
  readonly reason: string;
  /** The HTTP status of a refused handshake, where the platform can see it. */
  readonly status?: number;
  /** The system's word for a failed connection, e.g. `ECONNREFUSED`; never holds the URL. */
  readonly errorCode?: string;
  /** The peer ended it, so that nothing of it is left there; absent where the platform can't tell, or ended it itself. */
  readonly byPeer?: boolean | undefined;
  /** The error for whoever wants the socket, where the platform knows that no further attempt can succeed. */
  readonly final?: ServiceError | undefined;
}

/** An opening or open socket. */
export interface SocketHandle {
  readonly send: (text: string) => void;
  /** Absent where the platform can't ping (browsers). */
  readonly ping?: () => void;
  /** Whether it keeps the process alive, which it does at first; absent where the platform has no such thing. */
  readonly keepAlive?: (keeps: boolean) => void;
  /** Ends it in any state, at once if `immediately`; `closed` is still told, once. */
  readonly close: (immediately?: boolean) => void;
}

/** A part of a multipart form. */
export type FormPart =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly filename: string; readonly content: Blob };

/** What is sent; redirects are never followed. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: string;
  readonly form?: readonly FormPart[];
  /** The answer's body is read at the reader's own pace; without it, at once and whole. */
  readonly streamed?: boolean;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Connects to addresses of this class only, whatever name stands for them, where the platform can see addresses; fails
   * with the code `EADDRCLASS` before a byte leaves otherwise. Default: to any.
   */
  readonly addressClass?: Exclude<HostClass, 'forbidden'>;
  /** Told once when the first byte of the request may have left. */
  readonly onSent?: () => void;
}

/** Status and headers of an answer, and its body to be read once or discarded. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Each piece is its reader's own. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Gives the connection up without reading the rest. */
  readonly discard: () => void;
}

/** How `Platform.request` rejects: `code` is the system's word; `sent` is false only if provably no byte left. */
export interface TransportFailure {
  readonly code: string;
  readonly message: string;
  readonly sent: boolean;
  /** What has to be done first, where the platform knows that no attempt can succeed before. */
  readonly hint?: string | undefined;
}

/** A file that is being written under a temporary name. */
export interface PartFile {
  /**
   * Takes the chunk over, which its writer neither reads nor changes any more, and resolves when there is room for the next
   * one; what the disk refuses may be told by a later call.
   */
  readonly write: (chunk: Uint8Array) => Promise<void>;
  /** Gives it its final name and resolves with the full path; an existing file is never replaced: `name~2` then. */
  readonly commit: () => Promise<string>;
  /** Removes it. */
  readonly discard: () => Promise<void>;
}

/** Files on disk, where the platform has a disk. */
export interface Files {
  /** Makes the folder and resolves with its real path. */
  readonly folder: (path: string) => Promise<string>;
  /** Creates `folder/name.part` exclusively, following no link; `folder` is a real path, `name` a safe file name. */
  readonly create: (
    folder: string,
    name: string,
    options?: { readonly overwrite?: boolean },
  ) => Promise<PartFile>;
  /** Bytes that may still be written below this real path, where the platform can tell. */
  readonly freeBytes?: (folder: string) => Promise<number>;
  /** A blob that reads the file as it is consumed. */
  readonly open: (path: string) => Promise<Blob>;
}

/** The one seam to the world: sockets, requests, time, randomness and files all come through here. */
export interface Platform {
  readonly clock: Clock;
  /** 0 to 1, exclusive. */
  readonly random: () => number;
  readonly uuid: () => string;
  readonly openSocket: (url: string, listener: SocketListener) => SocketHandle;
  /** Rejects with a {@link TransportFailure}; with the signal's reason, or any, where the request was ended. */
  readonly request: (request: HttpRequest) => Promise<HttpResponse>;
  readonly files?: Files;
  /** Ends the connections that requests left open, where the platform keeps some. */
  readonly close?: () => Promise<void>;
}

/** How the platforms reject a request: an `Error` that is a `TransportFailure`. */
export class TransportError extends Error implements TransportFailure {
  override readonly name = 'TransportError';
  readonly code: string;
  readonly sent: boolean;

  constructor(code: string, message: string, sent: boolean) {
    super(message);
    this.code = code;
    this.sent = sent;
  }
}
