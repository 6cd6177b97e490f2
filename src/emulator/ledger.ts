import type { Fault } from './fault.js';

/** What really happened in the emulator; tests compare a client's observations with it. */
export interface Ledger {
  /** Every accepted submission in order, with the current state of its job. */
  readonly jobs: readonly LedgerJob[];
  /** Every request, by the origin that got it. */
  readonly requests: Readonly<Record<RecordedRequest['origin'], readonly RecordedRequest[]>>;
  /** Every socket that opened, in order. */
  readonly sockets: readonly LedgerSocket[];
  /** Every event stream of API v2 that opened, in order. */
  readonly streams: readonly LedgerStream[];
  /** Every model that a local server has loaded, in order. */
  readonly loads: readonly LedgerLoad[];
  /** Every triggered fault, in order. */
  readonly faults: readonly AppliedFault[];
}

/** One accepted submission. */
export interface LedgerJob {
  /** The id that the answer to its submission names. */
  readonly promptId: string;
  /** `deleted` and `lost`: removed without an event, by a local server or with a vanished worker. */
  readonly state: 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled' | 'deleted' | 'lost';
  /** Node id → output of its `executed` event. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** When it was accepted, by the emulator's clock, in milliseconds since 1970. */
  readonly createdAt: number;
  /** When it ended, likewise; absent before, and of a job that was deleted. */
  readonly endedAt?: number | undefined;
  /** As submitted; a test may mark its jobs here. */
  readonly extraData: Readonly<Record<string, unknown>>;
}

/** One load of a model onto the device of a local server. */
export interface LedgerLoad {
  /** The file name of the checkpoint. */
  readonly model: string;
  /** When it began, by the emulator's clock, in milliseconds since 1970. */
  readonly at: number;
}

/** One socket. */
export interface LedgerSocket {
  /** The `clientId` of its address. */
  readonly clientId: string | null;
  /** The number of messages sent to it. */
  readonly messages: number;
  /** Whether neither side has ended it. */
  readonly isOpen: boolean;
}

/** One event stream of API v2. */
export interface LedgerStream {
  /** The job that it follows. */
  readonly promptId: string;
  /** The number of events sent to it, without comments; a fault of the stream may have dropped some on the way. */
  readonly events: number;
  /** Whether neither side has ended it. */
  readonly isOpen: boolean;
}

/** One triggered fault. */
export interface AppliedFault {
  /** Its index in the list. */
  readonly index: number;
  /** The fault as it was given. */
  readonly fault: Fault;
  /** What triggered it: `POST /api/prompt`, `handshake 2`, `executed of job 1`, … */
  readonly struck: string;
}

/** A request and the origin that received it. */
export interface RecordedRequest {
  /** The service itself, or the origin of its signed URLs. */
  readonly origin: 'api' | 'storage';
  /** In capitals, such as `POST`. */
  readonly method: string;
  /** Path with query. */
  readonly url: string;
  /** As Node's HTTP server gives them: names in small letters. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** A JSON body as it was sent, once it was read. */
  readonly body?: string;
}
