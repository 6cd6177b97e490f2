/** Why a request is not served. The router writes it as the route's `errors` say. */
export interface Refusal {
  readonly status: number;
  /** In snake case; callers branch on it. */
  readonly code: string;
  readonly message: string;
  /** In API v2 the member `details`; in problem details, members of their own. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** What `Retry-After` says: whole seconds, at least 1. */
  readonly retryAfterS?: number;
  /** The service's id of the request that it refused; absent if the refusal is the gateway's own. */
  readonly requestId?: string;
  /** Headers beside those of the body, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Of an address that leads nowhere. */
export const notFound: Refusal = {
  status: 404,
  code: 'not_found',
  message: 'There is nothing at this address.',
};

/** A {@link Refusal} on its way out of a handler: the router answers with it. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
