import type { Fault } from './faults/fault.js';

/** What really happened in the emulator; tests compare a client's observations with it. */
export interface Ledger {
  /** Every accepted submission in order, with the current state of its job. */
  readonly jobs: readonly LedgerJob[];
  /** Every request, by the origin that got it. */
  readonly requests: Readonly<Record<RecordedRequest['origin'], readonly RecordedRequest[]>>;
  /** Every socket that opened, in order. */
  readonly sockets: readonly LedgerSocket[];
  /** Every triggered fault, in order. */
  readonly faults: readonly AppliedFault[];
}

/** One accepted submission. */
export interface LedgerJob {
  readonly promptId: string;
  /** `deleted` and `lost`: removed without an event, by a local server or with a vanished worker. */
  readonly state: 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled' | 'deleted' | 'lost';
  /** Node id → output of its `executed` event. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** As submitted; a test may mark its jobs here. */
  readonly extraData: Readonly<Record<string, unknown>>;
}

/** One socket. */
export interface LedgerSocket {
  /** The `clientId` of its address. */
  readonly clientId: string | null;
  /** The number of messages sent to it. */
  readonly messages: number;
  readonly isOpen: boolean;
}

/** One triggered fault. */
export interface AppliedFault {
  /** Its index in the list. */
  readonly index: number;
  readonly fault: Fault;
  /** What triggered it: `POST /api/prompt`, `handshake 2`, `executed of job 1`, … */
  readonly struck: string;
}

/** A request and the origin that received it. */
export interface RecordedRequest {
  readonly origin: 'api' | 'storage';
  readonly method: string;
  /** Path with query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** A JSON body as it was sent, once it was read. */
  readonly body?: string;
}
