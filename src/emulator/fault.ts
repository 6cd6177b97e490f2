import type { EngineOutage } from './engine-outage.js';

/**
 * One injected fault, as JSON data (docs/guide/testing.md).
 *
 * The same faults with the same seed have the same effects on the same requests. `setFaults` resets all counts.
 */
export type Fault =
  SocketFault | HttpFault | RestFault | StorageFault | EventFault | JobFault | AccountFault | EngineFault;

/** On which of its matches a fault triggers; each fault counts its own matches, from the moment that it was set. */
export interface Occurrence {
  /** The first match that triggers, from 1; default 1. */
  readonly nth?: number;
  /** How many matches in a row trigger from then on; default 1, for `vanish` and `flicker` on `rest` `every`. */
  readonly times?: number | 'every';
  /** The probability that each of these triggers, 0 to 1, drawn from the seed; default 1. */
  readonly chance?: number;
}

/** How a connection ends: with a reset, or with an orderly end of the stream. */
export type CutHow = 'rst' | 'fin';

/**
 * Paces outgoing bytes: at a rate, in pieces of these sizes (repeated), or delayed by `ms` milliseconds in order.
 */
export type PaceAction =
  | { readonly do: 'drip'; readonly bytesPerSecond: number }
  | { readonly do: 'slice'; readonly sizes: readonly number[] }
  | { readonly do: 'latency'; readonly ms: number };

/** Where an exchange breaks: before the request is handled, once it is handled, after the headers, or in the body. */
export type HttpPhase = 'before' | 'afterCommit' | 'headers' | 'body';

/** Byte-level actions on an HTTP exchange. */
export type HttpAction =
  /** The connection ends; default `rst`, `before`. With `body`, after this many bytes of it (default: half). */
  | { readonly do: 'cut'; readonly how?: CutHow; readonly phase?: HttpPhase; readonly bytes?: number }
  /** No further bytes are sent, and the connection stays open. */
  | { readonly do: 'stall'; readonly phase?: HttpPhase; readonly bytes?: number }
  /**
   * Spaces follow the body, so that JSON stays JSON: `bytes` of them with a correct content length, or without end and
   * without a length.
   */
  | { readonly do: 'oversize'; readonly bytes?: number }
  /** Compressed without being asked for; `bytes` truncates the compressed body, with a correct content length. */
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
        /** Answers this; with `commit` the request is handled all the same. */
        readonly do: 'answer';
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>>;
        readonly body?: string;
        readonly commit?: boolean;
      }
    /** The first reads of each address find nothing. Reads are counted by address; `nth` and `times` do not apply. */
    | { readonly do: 'lag'; readonly reads: number }
    /** Every read finds nothing. */
    | { readonly do: 'vanish' }
    /** Every other read finds nothing. */
    | { readonly do: 'flicker' }
    /** Handles the request and cuts the connection instead of answering; default `rst`. */
    | { readonly do: 'commit-then-cut'; readonly how?: CutHow }
    /** Delays the handling of the request, or (default) its answer. */
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
    /** The address has expired: 400 (default) or 403 with XML. */
    | { readonly do: 'expire'; readonly status?: 400 | 403 }
    /** Sends only the first bytes, with their count as the content length. */
    | { readonly do: 'truncate'; readonly bytes: number }
    /** 200 with other content: a text, or bytes in base64. */
    | { readonly do: 'body'; readonly text?: string; readonly base64?: string; readonly type?: string }
    /** The file has another validator than before. */
    | { readonly do: 'etag'; readonly value: string }
    /** One more redirect; default to the same address: a loop with `times: 'every'`, a chain of five with `times: 5`. */
    | { readonly do: 'redirect'; readonly location?: string; readonly status?: number }
    /** Sends no content length and ends the body with the connection; `bytes` truncates it. */
    | { readonly do: 'no-length'; readonly bytes?: number }
  );

/** How far a socket gets before the fault triggers; the first that is reached counts. Without any: as soon as it opens. */
export interface SocketProgress {
  /** Messages sent. */
  readonly messages?: number;
  /** Bytes sent after the handshake. */
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

/**
 * Faults of the socket, or in API v2 of event streams; matches are handshakes, or requests that open a stream, so what is
 * already open stays unchanged. A stream ignores what only frames can have: `illegal`, `fragments` and `bomb`.
 */
export type SocketFault = Occurrence & { readonly on: 'socket' } & (
    | {
        /** The handshake is answered with this status. */
        readonly do: 'refuse';
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>>;
        readonly body?: string;
      }
    /** The handshake is answered with a redirect, default 302. */
    | { readonly do: 'redirect'; readonly location: string; readonly status?: number }
    /** The handshake succeeds with these additional headers, e.g. an extension that the client did not offer. */
    | { readonly do: 'headers'; readonly headers: Readonly<Record<string, string>> }
    | (InterruptionAction & { readonly after?: SocketProgress })
    /** The connection ends without a close frame after `ms` without traffic in either direction; default `fin`. */
    | { readonly do: 'idle-close'; readonly ms: number; readonly how?: CutHow }
    | PaceAction
  );

/** Actions on an open socket; without `after`, `cut` and `stall` apply to the handshake. */
export type InterruptionAction =
  /** The connection ends without a close frame; default `rst`. */
  | { readonly do: 'cut'; readonly how?: CutHow }
  /** Stops both directions, for good or for `ms`; what was held follows then. */
  | { readonly do: 'stall'; readonly ms?: number }
  /** Stays open, drops outgoing messages and answers nothing, not even pings. */
  | { readonly do: 'blackhole' }
  /** Answers pings and drops messages. */
  | { readonly do: 'mute' }
  /** An orderly close with this code. */
  | { readonly do: 'close'; readonly code: number; readonly reason?: string }
  /** Sends an illegal frame; the socket stays in use. */
  | { readonly do: 'illegal'; readonly frame: IllegalFrame }
  /** Sends these bytes between two frames. */
  | { readonly do: 'bytes'; readonly hex: string }
  /** Sends a message in fragments of one byte; default 200,000 of them. */
  | { readonly do: 'fragments'; readonly count?: number }
  /** Sends a text message of `bytes` bytes, most of them spaces; default 64 MiB. */
  | { readonly do: 'oversize'; readonly bytes?: number }
  /** The same, compressed to about a thousandth, also where compression was not negotiated; default 90 MiB. */
  | { readonly do: 'bomb'; readonly bytes?: number }
  /**
   * Foreign jobs start and send previews for as long as the socket is open: `hz` (default 10) a second for each of
   * `jobs` (default 1), each of `previewBytes` (default 200,000).
   */
  | { readonly do: 'flood'; readonly jobs?: number; readonly hz?: number; readonly previewBytes?: number };

/** Which messages a fault matches; every given member has to match. */
export interface EventMatch {
  /** An event's type, or `preview` or `text` for binary messages. */
  readonly type?: string;
  /** The id of the node that the message names. */
  readonly node?: string;
  /** The number of the job in the order of acceptance, from 1. */
  readonly job?: number;
}

/**
 * Faults of messages: of the WebSocket, or in API v2 of the event streams. Matches are messages, each counted once before it is
 * sent to the sockets or streams.
 */
export type EventFault = Occurrence & { readonly on: 'event'; readonly match?: EventMatch } & (
    | { readonly do: 'drop' }
    /** Default one copy. */
    | { readonly do: 'duplicate'; readonly copies?: number }
    /** Swaps the message with the next one. */
    | { readonly do: 'swap' }
    /** Delivers the message after this many later ones. */
    | { readonly do: 'delay'; readonly events: number }
    /** Removes these members of `data`. */
    | { readonly do: 'strip'; readonly members: readonly string[] }
    /** Replaces these members of `data`. */
    | { readonly do: 'alter'; readonly data: Readonly<Record<string, unknown>> }
    /**
     * Sends the events of foreign jobs before it, from start to end; default one that succeeds, without previews. Each
     * preview is a binary message of type 1 with `previewBytes` (default 1,000) bytes of picture.
     */
    | {
        readonly do: 'foreign';
        readonly jobs?: number;
        readonly end?: 'success' | 'error' | 'interrupted' | 'none';
        readonly previews?: number;
        readonly previewBytes?: number;
      }
    /** Sends an event of an unknown type before it. */
    | { readonly do: 'unknown'; readonly type?: string; readonly data?: Readonly<Record<string, unknown>> }
    /** Sends an invalid message before it: this text, these bytes in hexadecimal, or random bytes. */
    | { readonly do: 'garbage'; readonly text?: string; readonly hex?: string }
  );

/** Why an account is refused: the codes of a 403 that concern credentials. */
export type ForbiddenCode =
  'FORBIDDEN' | 'workspace_access_denied' | 'no_workspace_access' | 'sso_required' | 'auth_type_not_allowed';

/** All of them. */
export const forbiddenCodes: readonly ForbiddenCode[] = [
  ...(['FORBIDDEN', 'workspace_access_denied', 'no_workspace_access', 'sso_required'] as const),
  'auth_type_not_allowed',
];

/**
 * Changes of the account, in the cloud dialect and in API v2; matches are requests and handshakes, with `atMs` only those made at least
 * `atMs` milliseconds after the faults were set.
 */
export type AccountFault = Occurrence & { readonly on: 'account'; readonly atMs?: number } &
  /** From this request on its key is refused with 401, until the faults are replaced. Open sockets stay open. */
  (
    | { readonly do: 'revoke' }
    /** From this request on the plan is in this state, until `setBilling` or the next such fault. */
    | { readonly do: 'billing'; readonly state: Billing }
    /** From this request on its key is refused with 403 for this reason, until the faults are replaced. */
    | { readonly do: 'forbid'; readonly code: ForbiddenCode }
  );

/**
 * Outages of a local server, which loses its loaded models with its process; matches are jobs in the order in which they begin to run. With
 * `atMs` it strikes so many milliseconds after the faults were set, whatever runs then. A server that is away is not struck again.
 */
export type EngineFault = Occurrence & EngineOutage;

/** Faults of jobs; matches are jobs in the order of their acceptance. */
export type JobFault = Occurrence & { readonly on: 'job' } &
  /** The worker vanishes at the start: the cloud reports `lost`, a local server forgets the job. */
  (
    | { readonly do: 'lose' }
    /** Status and record find nothing: always (default), or once it has ended. */
    | { readonly do: 'vanish'; readonly when?: 'always' | 'ended' }
    /** After this many of its events (default 1) all sockets are cut, and new ones are refused until it has ended. */
    | { readonly do: 'finish-while-disconnected'; readonly events?: number }
    /** The status endpoint answers this word: always (default), until the job has ended, or from then on. */
    | { readonly do: 'status'; readonly word: string; readonly when?: 'always' | 'moving' | 'ended' }
    /** The first reads of its record after its end have no outputs. */
    | { readonly do: 'late-outputs'; readonly reads: number }
    /** Its record is found only this long after its end. */
    | { readonly do: 'history-lag'; readonly ms: number }
    /** Its record has these outputs, by node id, instead of its own. */
    | { readonly do: 'outputs'; readonly outputs: Readonly<Record<string, unknown>> }
  );

/** The state of an account's plan: jobs are refused with 402 without credits, and with 429 without a subscription. */
export type Billing = 'active' | 'no credits' | 'inactive';

/** All values of {@link Billing}. */
export const billings: readonly Billing[] = ['active', 'no credits', 'inactive'];

/**
 * The former name of {@link HttpAction}.
 *
 * @deprecated Renamed to {@link HttpAction}.
 */
export type HttpDeed = HttpAction;

/**
 * The former name of {@link PaceAction}.
 *
 * @deprecated Renamed to {@link PaceAction}.
 */
export type PaceDeed = PaceAction;

/**
 * The former name of {@link InterruptionAction}.
 *
 * @deprecated Renamed to {@link InterruptionAction}.
 */
export type InterruptionDeed = InterruptionAction;
