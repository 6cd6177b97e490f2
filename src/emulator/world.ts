import type { IncomingMessage } from 'node:http';
import type { Billing } from './faults/fault.js';
import type { Answer } from './http/answer.js';
import type { LedgerJob } from './ledger/ledger.js';
import type { Outlet } from './sockets/outlet.js';

/** A dialect of the service behind the doors that all have in common: what requests and sockets lead to. */
export interface World {
  readonly apiKey: string;
  /** Whether a key is one of its own. */
  readonly knowsKey: (key: string) => boolean;
  readonly setBilling: (billing: Billing) => void;
  /** Does what a request of the API asks for; `keepBody` adds its text to the record. */
  readonly answer: (request: IncomingMessage, url: URL, keepBody: (body: string) => void) => Promise<Answer>;
  /** Whether a socket may open: the refusal, or what to do with it once it is open. */
  readonly admit: (request: IncomingMessage, url: URL) => Answer | Admission;
  /** What the API says of something that is not there. */
  readonly missing: (url: URL) => Answer;
  /** The truth about every job that was accepted, in order. */
  readonly jobs: () => readonly LedgerJob[];
  /** Gives a file of a signed address away. */
  readonly serve: (request: IncomingMessage, url: URL) => Answer;
  /** Ends every job without a further message. */
  readonly stop: () => void;
}

/** A socket that may open. */
export interface Admission {
  readonly welcome: (outlet: Outlet) => void;
}
