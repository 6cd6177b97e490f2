import type { Fault } from './faults/fault.js';

/** What really happened, as no client can see it: what tests compare a client's observations with. */
export interface Ledger {
  /** Every accepted submission in order, with the truth about its job as it is now. */
  readonly jobs: readonly LedgerJob[];
  /** Every request, by the origin that got it. */
  readonly requests: Readonly<Record<RecordedRequest['origin'], readonly RecordedRequest[]>>;
  /** Every socket that opened, in order. */
  readonly sockets: readonly LedgerSocket[];
  /** Every strike of a fault, in order. */
  readonly faults: readonly AppliedFault[];
}

/** One accepted submission. */
export interface LedgerJob {
  readonly promptId: string;
  /** `deleted` and `lost`: gone without a word, as a local server does it or where the worker vanished. */
  readonly state: 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled' | 'deleted' | 'lost';
  /** Node id → what `executed` told of it. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** As it was submitted: a place for a mark of the test's own. */
  readonly extraData: Readonly<Record<string, unknown>>;
}

/** One socket. */
export interface LedgerSocket {
  /** The `clientId` of its address. */
  readonly clientId: string | null;
  /** Messages that went out to it. */
  readonly messages: number;
  readonly isOpen: boolean;
}

/** One strike of a fault. */
export interface AppliedFault {
  /** Its place in the list. */
  readonly index: number;
  readonly fault: Fault;
  /** What it struck: `POST /api/prompt`, `handshake 2`, `executed of job 1`, … */
  readonly struck: string;
}

/** A request that the emulator saw, on which origin. */
export interface RecordedRequest {
  readonly origin: 'api' | 'storage';
  readonly method: string;
  /** Path with query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** A JSON body as it was sent, once it was read. */
  readonly body?: string;
}
