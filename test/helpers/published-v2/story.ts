import type { Doc } from './documents.js';

/** An answer with a body of its own: JSON, a page or bytes. */
export interface Answer {
  readonly status: number;
  readonly body?: Doc | string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A frame of an event stream by name and data, or text or bytes that are sent as they are. */
export type Frame = readonly [event: string, data: Doc] | string | Uint8Array;

/** One connection to the event stream: an answer without a stream, or frames and how it ends. */
export type Stream =
  | Answer
  | {
      readonly frames: readonly Frame[];
      /** `open`: until the client leaves. */
      readonly end: 'closed' | 'cut' | 'open';
    };

/** What one server does with one job; lists are used in order, and their last entry again and again. */
export interface Story {
  readonly title: string;
  /** The path below which the API is mounted. */
  readonly mount?: string;
  /** Answers of `POST /jobs`; default 201 with the first document of `polls`. */
  readonly submissions?: readonly Answer[];
  /** What `GET /jobs/{id}` shows. Once a stream has sent a final status, it shows the last of them. */
  readonly polls: readonly (Doc | Answer)[];
  /** Default: 501 `not_implemented`. */
  readonly streams?: readonly Stream[];
  /** The answer of a cancel; after it polls show the last document. Default: that document. */
  readonly cancelled?: Answer;
  /** How content is served; default inline. */
  readonly content?: 'inline' | 'redirect' | Answer;
  /** Answers of the operations on assets. */
  readonly assets?: {
    readonly head?: number;
    readonly fromHash?: Answer;
    readonly post?: Answer;
  };
}
