import type { Occurrence } from './occurrence.js';

/** Which messages of the service are meant; everything that is given has to fit. */
export interface EventMatch {
  /** An event's type, or `preview` or `text` for binary messages. */
  readonly type?: string;
  readonly node?: string;
  /** The n-th job that was accepted, from 1. */
  readonly job?: number;
}

/** Faults of what the sockets are told; matches are messages, before they are sent to anybody. */
export type EventFault = Occurrence & { readonly on: 'event'; readonly match?: EventMatch } & (
    | { readonly do: 'drop' }
    /** Default one copy. */
    | { readonly do: 'duplicate'; readonly copies?: number }
    /** Changes places with the next message. */
    | { readonly do: 'swap' }
    /** Comes after this many further messages. */
    | { readonly do: 'delay'; readonly events: number }
    /** Members of `data` that are left out. */
    | { readonly do: 'strip'; readonly members: readonly string[] }
    /** Members of `data` that are something else. */
    | { readonly do: 'alter'; readonly data: Readonly<Record<string, unknown>> }
    /**
     * A neighbour's jobs are told before it, from start to end; default one, with success, and without previews. Each
     * preview is a frame of type 1 with `previewBytes` (default 1,000) bytes of picture.
     */
    | {
        readonly do: 'foreign';
        readonly jobs?: number;
        readonly end?: 'success' | 'error' | 'interrupted' | 'none';
        readonly previews?: number;
        readonly previewBytes?: number;
      }
    /** An event of a type that nobody knows comes before it. */
    | { readonly do: 'unknown'; readonly type?: string; readonly data?: Readonly<Record<string, unknown>> }
    /** A frame of junk comes before it: this text, these bytes in hexadecimal, or random bytes. */
    | { readonly do: 'garbage'; readonly text?: string; readonly hex?: string }
  );
