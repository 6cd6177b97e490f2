import type { Either } from 'fp-ts/lib/Either.js';
import type { PieceOf } from '../protocol/json/json-pieces.js';

/** A part of a multipart form: a text field or a file. */
export type EndpointPart =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly filename: string; readonly content: Blob };

/**
 * Whether a call that failed may be sent again. `always`: it is idempotent, a second one has no further effect. `submission`: only
 * where provably no byte of it left, or the service clearly refused it. `caller`: as `submission`, but the caller itself finds out what
 * became of a request without an answer, so such a call ends with its own error. `never`: a second one could hit another job.
 */
export type Idempotency = 'always' | 'submission' | 'caller' | 'never';

/** See {@link Endpoint.keepsNumbers}. */
export type KeptNumbers = 'outputs' | 'all' | undefined;

/** One call of the interface as data: what is sent, and how its answer is read (docs/protocol.md, chapter 2). */
export interface Endpoint<A> {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE';
  /** From the service's root, e.g. `/api/queue`; ids in it are percent-encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Headers of this call alone, names in lower case; the dialect adds the key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly json?: string;
  readonly form?: readonly EndpointPart[];
  readonly idempotency: Idempotency;
  /** Whether the reader takes the answer at its own pace; default: it is read at once and whole. */
  readonly streamed?: boolean;
  /** Largest answer in bytes; default 8 MiB. */
  readonly maxBytes?: number;
  /**
   * Which values of a large answer are parsed apart while it comes, or skipped. Default: an answer of very many values is refused.
   */
  readonly parsedInPieces?: PieceOf;
  /** Whether the thing asked for may appear some seconds late, so that this 404 is retried; default false. */
  readonly mayAppearLate?: boolean | ((errorType: string | undefined) => boolean);
  /**
   * For how long in all a 429 is waited out, in milliseconds, where each repetition is the same request to the service; default:
   * two waits for back-pressure, and none for a full queue.
   */
  readonly waitsOutMs?: number;
  readonly promptId?: string;
  /**
   * What of the answer is data whose numbers stay as sent: the members `outputs`, or `all` of it, as it holds workflows; default nothing.
   */
  readonly keepsNumbers?: KeptNumbers;
  /**
   * Reads the parsed body of a success; `undefined` stands for an empty body. `asSent` is the same with its numbers as sent, where the
   * answer keeps them. Left says what is wrong.
   */
  readonly read: (json: unknown, asSent?: unknown) => Either<string, A>;
  /** Recognises a refusal that comes with the status of a success. */
  readonly refusedAs?: (json: unknown) => 'missing' | 'refused' | undefined;
}
