import type { Answer } from './http/answer.js';
import type { Billing } from './faults/fault.js';
import type { ClientSocket } from './sockets/client-socket.js';
import type { IncomingMessage } from 'node:http';
import type { LedgerJob } from './ledger.js';

/** A dialect of the service behind the doors that all have in common: what requests and sockets lead to. */
export interface Backend {
  readonly apiKey: string;
  /** Whether a key is one of its own. */
  readonly acceptsKey: (key: string) => boolean;
  readonly setBilling: (billing: Billing) => void;
  /** Does what a request of the API asks for; `keepBody` adds its text to the record. */
  readonly answer: (request: IncomingMessage, url: URL, keepBody: (body: string) => void) => Promise<Answer>;
  /** Whether a socket may open: the refusal, or what to do with it once it is open. */
  readonly acceptSocket: (request: IncomingMessage, url: URL) => Answer | AcceptedSocket;
  /** What the API says of something that is not there. */
  readonly notFound: (url: URL) => Answer;
  /** The truth about every job that was accepted, in order. */
  readonly jobs: () => readonly LedgerJob[];
  /** Gives a file of a signed address away. */
  readonly serveFile: (request: IncomingMessage, url: URL) => Answer;
  /** Ends every job without a further message. */
  readonly stop: () => void;
}

/** A socket that may open. */
export interface AcceptedSocket {
  readonly onOpen: (outlet: ClientSocket) => void;
}
