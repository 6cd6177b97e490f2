import type { SubmitOptions } from '../http/rest.js';

/** The plans of the service: free and standard run 1 job at once, creator 3, pro 5; `unlimited` sets no bound here. */
export type ClientTier = 'free' | 'standard' | 'creator' | 'pro' | 'unlimited';

/** Options of `client.run`. */
export interface RunOptions extends SubmitOptions {
  /** What unsubscribing before the end does to the job: default `detach`, it goes on. */
  readonly onUnsubscribe?: 'detach' | 'cancel';
}

/** Options of `client.runAll`. */
export interface RunAllOptions extends RunOptions {
  /** At most this tier's number at once. */
  readonly tier?: ClientTier;
  /** At most this many at once; wins over `tier`. */
  readonly concurrency?: number | 'unlimited';
}
