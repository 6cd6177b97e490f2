/** How a connection ends: with a reset, or with an orderly end of the stream. */
export type CutHow = 'rst' | 'fin';

/**
 * What may happen to bytes on their way out: fewer at a time, in pieces of these sizes (over and over), or in order but
 * this many milliseconds later.
 */
export type PaceDeed =
  | { readonly do: 'drip'; readonly bytesPerSecond: number }
  | { readonly do: 'slice'; readonly sizes: readonly number[] }
  | { readonly do: 'latency'; readonly ms: number };
