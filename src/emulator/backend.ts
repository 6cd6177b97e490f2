import type { Answer } from './http/answer.js';
import type { Billing } from './fault.js';
import type { ClientSocket } from './sockets/client-socket.js';
import type { IncomingMessage } from 'node:http';
import type { LedgerJob } from './ledger.js';

/** One dialect of the service, behind the HTTP and WebSocket servers that both dialects share. */
export interface Backend {
  readonly apiKey: string;
  /** Whether the backend accepts a key. */
  readonly acceptsKey: (key: string) => boolean;
  readonly setBilling: (billing: Billing) => void;
  /** Handles a request of the API; `keepBody` adds its text to the record. */
  readonly answer: (request: IncomingMessage, url: URL, keepBody: (body: string) => void) => Promise<Answer>;
  /** Accepts or refuses a handshake. */
  readonly acceptSocket: (request: IncomingMessage, url: URL) => Answer | AcceptedSocket;
  /** The API's 404. */
  readonly notFound: (url: URL) => Answer;
  /** Every accepted job, in order. */
  readonly jobs: () => readonly LedgerJob[];
  /** Serves the file of a signed address. */
  readonly serveFile: (request: IncomingMessage, url: URL) => Answer;
  /** What is kept of it where it is saved: values that `writeState` takes. */
  readonly save: () => unknown;
  /** Puts what was saved back into a service that has nothing yet; throws `InvalidState`. */
  readonly restore: (state: unknown) => void;
  /** Ends all jobs without further messages. */
  readonly stop: () => void;
}

/** An accepted handshake. */
export interface AcceptedSocket {
  readonly onOpen: (client: ClientSocket) => void;
}
