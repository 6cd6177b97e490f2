import type { Either } from 'fp-ts/lib/Either.js';

/** A part of a multipart form: a text field or a file. */
export type EndpointPart =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly filename: string; readonly content: Blob };

/**
 * What may be done again when a call failed: `always` for what has the same effect twice, `submission` for what may be
 * repeated only if provably nothing of it left or it was clearly refused, `never` for what hits whatever runs by then.
 */
export type Repeat = 'always' | 'submission' | 'never';

/** One call of the interface as data: what is sent, and how its answer is read (docs/protocol.md, chapter 2). */
export interface Endpoint<A> {
  readonly method: 'GET' | 'POST';
  /** From the service's root, e.g. `/api/queue`; ids in it are percent-encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly json?: string;
  readonly form?: readonly EndpointPart[];
  readonly repeat: Repeat;
  /** The answer is read at the reader's own pace; default at once and whole. */
  readonly streamed?: boolean;
  /** Largest answer in bytes; default 8 MiB. */
  readonly maxBytes?: number;
  /** The answer is a map of many things, and read in pieces where it holds very many values; else those are refused. */
  readonly inPieces?: boolean;
  /** What it asks for may appear some seconds after it was told of: a 404 is asked again; default it is believed at once. */
  readonly mayTrail?: boolean;
  readonly promptId?: string;
  /** Reads the parsed body of a success; undefined stands for an empty body or for no JSON. Left says what is wrong. */
  readonly read: (json: unknown) => Either<string, A>;
  /** Recognises a refusal that comes with the status of a success. */
  readonly verdict?: (json: unknown) => 'missing' | 'refused' | undefined;
}
