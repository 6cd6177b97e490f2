import type { Occurrence } from './occurrence.js';
import type { CutHow } from './pace-deed.js';

/** Faults of single endpoints; matches are requests. */
export type RestFault = Occurrence & {
  readonly on: 'rest';
  /** As in `HttpFault`; `*` for every route. A local route may be written with or without `/api`. */
  readonly route: string;
} & (
    | {
        /** Answers this; with `commit` what was asked for is done all the same. */
        readonly do: 'answer';
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>>;
        readonly body?: string;
        readonly commit?: boolean;
      }
    /** The first reads of each address find nothing. Counted by address; `nth` and `times` have no say. */
    | { readonly do: 'lag'; readonly reads: number }
    /** Nothing is found there any more. */
    | { readonly do: 'vanish' }
    /** Every other read finds nothing. */
    | { readonly do: 'flicker' }
    /** Does what was asked for, and cuts the connection instead of answering; default `rst`. */
    | { readonly do: 'commit-then-cut'; readonly how?: CutHow }
    /** Waits before anything is done, or (default) with the answer. */
    | { readonly do: 'delay'; readonly ms: number; readonly phase?: 'before' | 'after' }
  );
