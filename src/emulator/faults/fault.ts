/**
 * One thing that goes wrong, as data that JSON can hold (docs/guide/testing.md).
 *
 * The same faults with the same seed do the same to the same requests. Counting begins anew with `setFaults`.
 */
export type Fault = SocketFault | HttpFault | RestFault | StorageFault | EventFault | JobFault | AccountFault;

/** Which of the matches a fault strikes; they are counted for each fault, from the moment that it was set. */
export interface Occurrence {
  /** The first match that is struck, from 1; default 1. */
  readonly nth?: number;
  /** How many matches in a row are struck from there on; default 1, for `vanish` and `flicker` on `rest` `every`. */
  readonly times?: number | 'every';
  /** How likely each of these is struck, 0 to 1, drawn from the seed; default 1. */
  readonly chance?: number;
}

/** How a connection ends: with a reset, or with an orderly end of the stream. */
export type CutHow = 'rst' | 'fin';

/**
 * What may happen to bytes on their way out: fewer at a time, in pieces of these sizes (over and over), or in order but
 * this many milliseconds later.
 */
export type PaceAction =
  | { readonly do: 'drip'; readonly bytesPerSecond: number }
  | { readonly do: 'slice'; readonly sizes: readonly number[] }
  | { readonly do: 'latency'; readonly ms: number };

/** Where in an exchange it breaks: before anything was done, once it was done, after the headers, or in the body. */
export type HttpPhase = 'before' | 'afterCommit' | 'headers' | 'body';

/** Byte-level deeds on an HTTP exchange. */
export type HttpAction =
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
  | PaceAction;

/** Byte-level faults of the API's origin. */
export type HttpFault = Occurrence & {
  readonly on: 'http';
  /** `METHOD /path` with `{…}` for any part, e.g. `GET /api/job/{id}/status`; default any request. */
  readonly route?: string;
} & HttpAction;

/** Faults of single endpoints; matches are requests. */
export type RestFault = Occurrence & {
  readonly on: 'rest';
  /** As in `HttpFault`; `*` for every route. A local route may be written with or without `/api`. */
  readonly route: string;
} & (
    | {
        /** Answers this; with `commit` what was asked for is done all the same. */
        readonly do: 'answer';
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>>;
        readonly body?: string;
        readonly commit?: boolean;
      }
    /** The first reads of each address find nothing. Counted by address; `nth` and `times` have no say. */
    | { readonly do: 'lag'; readonly reads: number }
    /** Nothing is found there any more. */
    | { readonly do: 'vanish' }
    /** Every other read finds nothing. */
    | { readonly do: 'flicker' }
    /** Does what was asked for, and cuts the connection instead of answering; default `rst`. */
    | { readonly do: 'commit-then-cut'; readonly how?: CutHow }
    /** Waits before anything is done, or (default) with the answer. */
    | { readonly do: 'delay'; readonly ms: number; readonly phase?: 'before' | 'after' }
  );

/** Faults of the storage behind signed addresses; matches are requests to it. */
export type StorageFault = Occurrence & { readonly on: 'storage' } & (
    | HttpAction
    | {
        readonly do: 'answer';
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>>;
        readonly body?: string;
      }
    /** The address is past its end: 400 (default) or 403 with XML. */
    | { readonly do: 'expire'; readonly status?: 400 | 403 }
    /** Only the first bytes come, as if they were all. */
    | { readonly do: 'truncate'; readonly bytes: number }
    /** 200 with other content: a text, or bytes in base64. */
    | { readonly do: 'body'; readonly text?: string; readonly base64?: string; readonly type?: string }
    /** The file has another validator than before. */
    | { readonly do: 'etag'; readonly value: string }
    /** One more redirect; default to the same address: a loop with `times: 'every'`, a chain of five with `times: 5`. */
    | { readonly do: 'redirect'; readonly location?: string; readonly status?: number }
    /** The answer says no length and ends with the connection; `bytes` cuts it short. */
    | { readonly do: 'no-length'; readonly bytes?: number }
  );

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
    | (InterruptionAction & { readonly after?: SocketProgress })
    /** The connection ends without a close frame once nothing went either way for so long; default `fin`. */
    | { readonly do: 'idle-close'; readonly ms: number; readonly how?: CutHow }
    | PaceAction
  );

/** What happens to an open socket; without `after`, `cut` and `stall` happen to the handshake. */
export type InterruptionAction =
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

/** Which messages of the service are meant; everything that is given has to fit. */
export interface EventMatch {
  /** An event's type, or `preview` or `text` for binary messages. */
  readonly type?: string;
  readonly node?: string;
  /** The n-th job that was accepted, from 1. */
  readonly job?: number;
}

/** Faults of what the sockets are told; matches are messages, before they are sent to anybody. */
export type EventFault = Occurrence & { readonly on: 'event'; readonly match?: EventMatch } & (
    | { readonly do: 'drop' }
    /** Default one copy. */
    | { readonly do: 'duplicate'; readonly copies?: number }
    /** Changes places with the next message. */
    | { readonly do: 'swap' }
    /** Comes after this many further messages. */
    | { readonly do: 'delay'; readonly events: number }
    /** Members of `data` that are left out. */
    | { readonly do: 'strip'; readonly members: readonly string[] }
    /** Members of `data` that are something else. */
    | { readonly do: 'alter'; readonly data: Readonly<Record<string, unknown>> }
    /**
     * A neighbour's jobs are told before it, from start to end; default one, with success, and without previews. Each
     * preview is a frame of type 1 with `previewBytes` (default 1,000) bytes of picture.
     */
    | {
        readonly do: 'foreign';
        readonly jobs?: number;
        readonly end?: 'success' | 'error' | 'interrupted' | 'none';
        readonly previews?: number;
        readonly previewBytes?: number;
      }
    /** An event of a type that nobody knows comes before it. */
    | { readonly do: 'unknown'; readonly type?: string; readonly data?: Readonly<Record<string, unknown>> }
    /** A frame of junk comes before it: this text, these bytes in hexadecimal, or random bytes. */
    | { readonly do: 'garbage'; readonly text?: string; readonly hex?: string }
  );

/**
 * What happens to the account in the middle of everything, in the cloud dialect; matches are requests and handshakes, and
 * with `atMs` those made at least so long after the faults were set.
 */
export type AccountFault = Occurrence & { readonly on: 'account'; readonly atMs?: number } &
  /** From this request on its key is refused with 401, until the faults are replaced. Open sockets stay open. */
  (
    | { readonly do: 'revoke' }
    /** From this request on the plan is in this state, until `setBilling` or the next such fault. */
    | { readonly do: 'billing'; readonly state: Billing }
  );

/** Faults of jobs; matches are jobs in the order of their acceptance. */
export type JobFault = Occurrence & { readonly on: 'job' } &
  /** The worker vanishes at the start: the cloud says `lost`, a local server forgets the job. */
  (
    | { readonly do: 'lose' }
    /** Status and record find nothing: always (default), or once it has ended. */
    | { readonly do: 'vanish'; readonly when?: 'always' | 'ended' }
    /** After this many events of it (default 1) all sockets are cut, and none may open until it has ended. */
    | { readonly do: 'finish-while-disconnected'; readonly events?: number }
    /** The status endpoint says this word: always (default), until the job has ended, or from then on. */
    | { readonly do: 'status'; readonly word: string; readonly when?: 'always' | 'moving' | 'ended' }
    /** The first reads of its record after its end have no outputs. */
    | { readonly do: 'late-outputs'; readonly reads: number }
    /** Its record is found only this long after its end. */
    | { readonly do: 'history-lag'; readonly ms: number }
    /** Its record has these outputs, by node id, instead of its own. */
    | { readonly do: 'outputs'; readonly outputs: Readonly<Record<string, unknown>> }
  );

/** Every word of {@link Billing}. */
export const billings = ['active', 'no credits', 'inactive'] as const;

/** How an account's plan stands: jobs are refused with 402 without credits, and with 429 without a subscription. */
export type Billing = (typeof billings)[number];

/** @deprecated Renamed to {@link HttpAction}. */
export type HttpDeed = HttpAction;

/** @deprecated Renamed to {@link PaceAction}. */
export type PaceDeed = PaceAction;

/** @deprecated Renamed to {@link InterruptionAction}. */
export type InterruptionDeed = InterruptionAction;
