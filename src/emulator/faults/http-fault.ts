import type { Occurrence } from './occurrence.js';
import type { CutHow, PaceDeed } from './pace-deed.js';

/** Where in an exchange it breaks: before anything was done, once it was done, after the headers, or in the body. */
export type HttpPhase = 'before' | 'afterCommit' | 'headers' | 'body';

/** Byte-level deeds on an HTTP exchange. */
export type HttpDeed =
  /** The connection ends; default `rst`, `before`. With `body`, after this many bytes of it (default: half). */
  | { readonly do: 'cut'; readonly how?: CutHow; readonly phase?: HttpPhase; readonly bytes?: number }
  /** Nothing more comes, and the connection stays open. */
  | { readonly do: 'stall'; readonly phase?: HttpPhase; readonly bytes?: number }
  /**
   * The body goes on with blanks after its end, so that JSON stays JSON: with this many bytes of them and an honest
   * length, or without end and without a length.
   */
  | { readonly do: 'oversize'; readonly bytes?: number }
  /** Compressed although nobody asked; `bytes` cuts the compressed body short, with an honest length. */
  | { readonly do: 'gzip'; readonly bytes?: number }
  | PaceDeed;

/** Byte-level faults of the API's origin. */
export type HttpFault = Occurrence & {
  readonly on: 'http';
  /** `METHOD /path` with `{…}` for any part, e.g. `GET /api/job/{id}/status`; default any request. */
  readonly route?: string;
} & HttpDeed;
