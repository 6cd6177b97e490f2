/** Asks for a file. */
export interface InputRequest {
  /** An absolute `http:` or `https:` address without credentials. */
  readonly url: string;
  /** True if the host may have any address; otherwise only connections to public addresses may be opened. */
  readonly anyAddress: boolean;
  /** Ends the request, whatever it waits for, and the body. */
  readonly signal: AbortSignal;
}

/** The beginning of an answer. */
export interface InputAnswer {
  /** The status; a redirect is one, and is not followed. */
  readonly status: number;
  /** The media type, where there is one. */
  readonly mediaType: string | undefined;
  /** The bytes as they come. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Gives up the rest of the body. */
  readonly discard: () => void;
}

/** Reads files that callers name by address; `inputFetcher` of `promptwire/gateway/node` makes one that checks addresses. */
export interface InputFetcher {
  /** Sends a `GET` once. Rejects where there is no answer. */
  readonly fetch: (request: InputRequest) => Promise<InputAnswer>;
  /** Ends what is under way, and the connections. */
  readonly close?: () => Promise<void>;
}
