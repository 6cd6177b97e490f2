/** A request of `remote.ask`. */
export interface RemoteQuestion {
  /** Default `GET`. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined;
  /** Below the address of the gateway, such as `/templates`. */
  readonly path: string;
  /** Sent as JSON; integers beyond 2^53 may be `bigint`. */
  readonly json?: unknown;
  /** `no-cache` lets the browser keep the answer and ask whether it is still the same one; default nothing is kept. */
  readonly cache?: 'no-cache' | undefined;
}

/** How `remote.ask` sends a request: `read` makes the answer of its JSON, and undefined of any other JSON. */
export type RemoteAsk = <A>(question: RemoteQuestion, read: (answer: unknown) => A | undefined) => Promise<A>;
