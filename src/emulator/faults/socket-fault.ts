import type { Occurrence } from './occurrence.js';
import type { CutHow, PaceDeed } from './pace-deed.js';

/** How far a socket gets before the fault strikes; the first that is reached counts. Without any: as soon as it opens. */
export interface SocketProgress {
  /** Messages that went out. */
  readonly messages?: number;
  /** Bytes that went out after the handshake. */
  readonly bytes?: number;
  /** Milliseconds since it opened. */
  readonly ms?: number;
}

/** A frame that no server may send. */
export type IllegalFrame =
  | 'reserved bits'
  | 'masked'
  | 'bad opcode'
  | 'bad close code'
  | 'short close'
  | 'long ping'
  | 'fragmented ping'
  | 'stray continuation'
  | 'invalid utf-8';

/** Faults of the socket; matches are handshakes, so sockets that are open already stay as they are. */
export type SocketFault = Occurrence & { readonly on: 'socket' } & (
    | {
        /** The handshake is answered with this status. */
        readonly do: 'refuse';
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>>;
        readonly body?: string;
      }
    /** The handshake is answered with a redirect, 302 unless told. */
    | { readonly do: 'redirect'; readonly location: string; readonly status?: number }
    /** The handshake succeeds with these headers besides, e.g. an extension that nobody asked for. */
    | { readonly do: 'headers'; readonly headers: Readonly<Record<string, string>> }
    | (InterruptionDeed & { readonly after?: SocketProgress })
    /** The connection ends without a close frame once nothing went either way for so long; default `fin`. */
    | { readonly do: 'idle-close'; readonly ms: number; readonly how?: CutHow }
    | PaceDeed
  );

/** What happens to an open socket; without `after`, `cut` and `stall` happen to the handshake. */
export type InterruptionDeed =
  /** The connection ends without a close frame; default `rst`. */
  | { readonly do: 'cut'; readonly how?: CutHow }
  /** Nothing goes out or comes in; for good, or for `ms`, after which everything that was held follows. */
  | { readonly do: 'stall'; readonly ms?: number }
  /** Open for ever, but what goes out is lost and what comes in is not answered, not even pings. */
  | { readonly do: 'blackhole' }
  /** Pings are answered, and messages are lost. */
  | { readonly do: 'mute' }
  /** An orderly close with this code. */
  | { readonly do: 'close'; readonly code: number; readonly reason?: string }
  /** A frame against the rules; the socket goes on as if nothing was. */
  | { readonly do: 'illegal'; readonly frame: IllegalFrame }
  /** These bytes, between two frames. */
  | { readonly do: 'bytes'; readonly hex: string }
  /** A message in fragments of one byte; default 200,000 of them. */
  | { readonly do: 'fragments'; readonly count?: number }
  /** A text message of so many bytes, most of them blanks; default 64 MiB. */
  | { readonly do: 'oversize'; readonly bytes?: number }
  /** The same, compressed to about a thousandth, whether compression was agreed on or not; default 90 MiB. */
  | { readonly do: 'bomb'; readonly bytes?: number }
  /**
   * A neighbour's jobs begin and send pictures for as long as the socket is open: `hz` (default 10) a second for each of
   * `jobs` (default 1), of `previewBytes` (default 200,000).
   */
  | { readonly do: 'flood'; readonly jobs?: number; readonly hz?: number; readonly previewBytes?: number };
