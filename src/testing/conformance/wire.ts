/** A request as the suite is about to send it. */
export interface WireRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** As it is sent; undefined without one. */
  readonly body: unknown;
}

/** What the suite sent, and what came. */
export interface Exchange {
  /** Method, path and the beginning of the body. */
  readonly sent: string;
  /** Status and the beginning of the answer. */
  readonly came: string;
}

/** Watches what the suite sends: what it may not send, and what was said last. */
export interface Wire {
  /** Throws {@link NotAllowed} where this run may not send it. */
  readonly permit: (request: WireRequest) => void;
  readonly answered: (request: WireRequest, status: number, body: string) => void;
}

/** A case can't be judged in this run; the message says why. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}
