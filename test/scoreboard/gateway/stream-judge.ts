import type { Seen } from './read-stream.js';

/** How a connection begins: without an id, after the last event that the reader has, or by an id that no stream gave it. */
export type Beginning = 'fresh' | 'resumed' | 'forged';

/** Judges what one reader gets over all its connections: every event once and in order, or a gap that is said. */
export interface StreamJudge {
  readonly problems: readonly string[];
  /** How many gaps were said besides those that forged ids ask for. */
  readonly gaps: () => number;
  readonly begin: (beginning: Beginning, after: string | undefined) => void;
  readonly take: (event: Seen) => void;
  /** Whether something must still come on this connection. */
  readonly lacks: () => boolean;
  /** Nothing more comes: is anything missing? */
  readonly finish: () => void;
}
